"""`python -m golden`; see program.py."""

import os
import sys

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # as the program sets it: before NumPy is imported

from golden.program import main

if __name__ == "__main__":
    sys.exit(main())

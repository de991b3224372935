"""SHA256SUMS: the hashes of a group of files, in the form that `sha256sum -c` checks."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

MANIFEST = "SHA256SUMS"


def manifest(files: Mapping[str, bytes]) -> bytes:
    """One line for each file, in the order given: hash, two blanks, name with forward slashes.

    Whoever signs this one file, by whatever means, has signed them all.
    """
    return "".join(f"{sha256(made).hexdigest()}  {name}\n" for name, made in files.items()).encode()

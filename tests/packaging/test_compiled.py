"""`make setup` leaves everything compiled: where PYTHONDONTWRITEBYTECODE is set, nobody else ever does."""

import os
import subprocess
import sys
import sysconfig
from importlib.util import cache_from_source
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
# `zebra assess`; then of each module loaded the file, and the compiled file that Python looks for.
PROBE = """
import sys
from zebra_gui.program import main
try:
    main()
except SystemExit as end:
    status = end.code
with open("modules", "w", encoding="utf-8") as listed:
    for module in list(sys.modules.values()):
        spec = getattr(module, "__spec__", None)
        if spec is not None and spec.cached and str(spec.origin).endswith(".py"):
            print(spec.origin, spec.cached, sep="\\t", file=listed)
sys.exit(status)
"""


def test_every_module_that_assess_loads_is_compiled(tmp_path):
    (tmp_path / "scores").write_text("a t1 2.0\na t2 0.5\nb t1 -1.0\nb t2 3.0\n")
    (tmp_path / "trials").write_text("a t1 target\na t2 nontarget\nb t1 nontarget\nb t2 target\n")
    done = subprocess.run(
        [sys.executable, "-c", PROBE, "assess", "-s", "scores", "-k", "trials"],
        cwd=tmp_path, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    pairs = [line.split("\t") for line in (tmp_path / "modules").read_text().splitlines()]
    ours = [file for file, _ in pairs if Path(file).is_relative_to(CHECKOUT / "core")]

    assert len(pairs) > 500
    assert len(ours) > 50
    assert [file for file, compiled in pairs if not Path(compiled).is_file()] == []


def test_modules_that_no_test_imports_are_compiled_too():
    """Else what was imported by the tests alone could be compiled, and by them."""
    packages = Path(sysconfig.get_path("purelib"))
    files = list((packages / "sqlglot").rglob("*.py")) + list((packages / "pip").rglob("*.py"))

    assert len(files) > 300
    assert [file for file in files if not Path(cache_from_source(str(file))).is_file()] == []

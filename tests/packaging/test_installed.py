"""The wheel and the source distribution, installed beside packages that are called core and resources."""

import re
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
OURS = ("zebra_core", "zebra_gui", "zebra_resources")
_OF_THE_INSTALLATION = ("RECORD", "direct_url.json")  # where it came from, and what pip made besides


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """A folder with the wheel and the source distribution of this checkout."""
    folder = tmp_path_factory.mktemp("built")
    subprocess.run(
        [sys.executable, "-c", _BUILD, str(folder)], cwd=CHECKOUT, check=True, capture_output=True, text=True
    )
    return folder


_BUILD = """
import sys
from hatchling import build
build.build_wheel(sys.argv[1])
build.build_sdist(sys.argv[1])
"""


@pytest.fixture(scope="module")
def python(built, tmp_path_factory) -> Path:
    """The Python of an environment with the wheel, and with other people's core and resources."""
    return _environment(tmp_path_factory.mktemp("environment"), next(built.glob("*.whl")))


@pytest.fixture(scope="module")
def python_of_source(built, tmp_path_factory) -> Path:
    """The same with the source distribution, which pip makes a wheel of."""
    return _environment(tmp_path_factory.mktemp("environment"), next(built.glob("*.tar.gz")))


def _environment(place: Path, package: Path) -> Path:
    venv.create(place, symlinks=True)
    interpreter = place / "bin" / "python"
    packages = _packages(interpreter)
    # What ZEBRA needs is taken from where it is; the editable ZEBRA there is not: .pth files are not read.
    (packages / "needs.pth").write_text(sysconfig.get_path("purelib") + "\n")
    for name in ("core", "resources"):
        (packages / name).mkdir()
        (packages / name / "__init__.py").write_text("OWNER = 'somebody else'\n")
    # What is imported is compiled then, and need not be before.
    install = ["--quiet", "install", "--no-deps", "--no-compile", "--no-index", "--no-build-isolation"]
    pip = [sys.executable, "-m", "pip", "--python", str(interpreter), *install, str(package)]
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return interpreter


def _packages(interpreter: Path) -> Path:
    return Path(_in(interpreter, "import sysconfig; print(sysconfig.get_path('purelib'))"))


def _in(python: Path, program: str) -> str:
    done = subprocess.run(
        [python, "-P", "-c", program], capture_output=True, text=True, check=False, cwd=python.parent
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_wheel_claims_no_name_but_its_own(built):
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        tops = {name.split("/")[0] for name in wheel.namelist()}
        names = set(wheel.namelist())

    assert {top for top in tops if not top.endswith(".dist-info")} == set(OURS)
    assert {"zebra_core/py.typed", "zebra_resources/texts/en.toml", "zebra_resources/fonts/OFL.txt"} <= names
    assert not [name for name in names if "__pycache__" in name]


def test_the_source_distribution_holds_what_the_repository_does(built):
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}

    assert {"core/zebra_core/version.py", "tests/conftest.py", "Makefile", "packaging/make_venv.sh"} <= names


@pytest.mark.parametrize("kind", ["python", "python_of_source"])
def test_other_peoples_packages_keep_their_names(request, kind):
    interpreter = request.getfixturevalue(kind)
    program = """
import core, resources, zebra_core
print(core.OWNER, resources.OWNER, zebra_core.__file__, sep="\\n")
"""
    core, resources, ours = _in(interpreter, program).splitlines()

    assert (core, resources) == ("somebody else", "somebody else")
    assert Path(ours).is_relative_to(interpreter.parents[1])


def test_the_source_distribution_installs_what_the_wheel_does(python, python_of_source):
    """Byte for byte, so that what the wheel is asked below holds of both."""
    of_wheel, of_source = _installed_by(python), _installed_by(python_of_source)

    assert len(of_wheel) > 700
    assert of_source == of_wheel


def _installed_by(interpreter: Path) -> dict[str, str]:
    """Hashes of the files of ZEBRA, by their names."""
    packages = _packages(interpreter)
    folders = [*(packages / name for name in OURS), *packages.glob("zebra_privacy-*.dist-info")]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    command = interpreter.with_name("zebra").read_bytes()
    return {
        path.relative_to(packages).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in files
        if "__pycache__" not in path.parts and path.name not in _OF_THE_INSTALLATION
    } | {"zebra": sha256(command.partition(b"\n")[2]).hexdigest()}  # its first line says where Python is


def test_the_installation_knows_its_answers(python):
    done = subprocess.run(
        [python.with_name("zebra"), "selftest"],
        capture_output=True,
        text=True,
        check=False,
        cwd=python.parent,
    )

    assert done.returncode == 0, done.stdout + done.stderr


def test_the_lines_of_python_in_the_readme_run(python, tmp_path):
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    lines = re.search(r"```python\n(.*?)```", readme, re.DOTALL)
    assert lines is not None
    (tmp_path / "scores").write_text("a t1 2.0\na t2 0.5\nb t1 -1.0\nb t2 3.0\n")
    (tmp_path / "trials").write_text("a t1 target\na t2 nontarget\nb t1 nontarget\nb t2 target\n")

    done = subprocess.run(
        [python, "-P", "-c", lines[1]], capture_output=True, text=True, check=False, cwd=tmp_path
    )

    assert done.returncode == 0, done.stderr
    d_ece, worst_case, tag = done.stdout.splitlines()[0].split()
    assert float(d_ece) == pytest.approx(0.7213475204444817, abs=1e-12)  # two targets above two nontargets
    assert float(worst_case) == pytest.approx(0.47712125471966244, abs=1e-12)
    assert tag == "A"


def test_the_window_opens(python):
    program = """
import os
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from zebra_gui.app import make_app, make_window
app = make_app()
window = make_window(app, [])
window.show()
app.processEvents()
print(window.windowTitle(), window.isVisible())
window.close()
"""
    assert _in(python, program) == "ZEBRA True"

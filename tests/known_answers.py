"""What the known-answer tests of `zebra selftest` export is made in earnest once in a run of the tests.

Three files need an outcome of theirs, and exports take most of the time of it.
"""

import filecmp
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from zebra_core.installation import selftest


@contextmanager
def exported_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Within, `selftest` exports what its first run has written, which is in the folder that this gives.

    The first run exports in earnest, twice as ever; it may be that of another file, in another process. Where
    its exports differ they are not kept, and the next run exports in earnest, too. All else that `selftest`
    does, it does each time.
    """
    kept, first = _folder_of_all(tmp_path_factory) / "exports", tmp_path_factory.mktemp("first") / "exports"
    whole = selftest.report_set

    def in_earnest(material, folder, **options):
        written = whole(material, folder, **options)
        if not first.exists():
            shutil.copytree(folder, first)
        elif _are_same(first, folder):
            with suppress(OSError):  # another process may have been as quick
                first.rename(kept)
        return written

    def copied(_material, folder, **_options):
        shutil.copytree(kept, folder, dirs_exist_ok=True)
        return sorted(path for path in folder.rglob("*") if path.is_file())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(selftest, "report_set", copied if kept.exists() else in_earnest)
        yield kept


def _folder_of_all(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of this run of the tests, in which each worker has one of its own."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


def _are_same(one: Path, other: Path) -> bool:
    names = [{path.relative_to(folder) for path in folder.rglob("*")} for folder in (one, other)]
    files = [name for name in names[0] if (one / name).is_file()]
    return names[0] == names[1] and all(
        filecmp.cmp(one / name, other / name, shallow=False) for name in files
    )

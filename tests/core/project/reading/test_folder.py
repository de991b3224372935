"""A folder that is no project has a sentence."""

import pytest

from zebra_core.errors import InputError
from zebra_core.intake.opening import opening
from zebra_core.project.reading.folder import project_of_folder


@pytest.mark.parametrize("place", ["", "inside/deep"])
def test_a_folder_of_more_files_than_anybody_means_has_a_sentence(tmp_path, monkeypatch, place):
    monkeypatch.setattr(opening, "MOST_FILES", 3)
    folder = tmp_path / "many"
    (folder / place).mkdir(parents=True)
    for number in range(4):
        (folder / place / f"{number}.txt").write_text("a b 1.0\n")

    with pytest.raises(InputError, match=r"many contains more than 3 files"):
        project_of_folder(folder)

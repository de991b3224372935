"""What names of files and folders say about segment scores."""

from pathlib import Path

import pytest

from zebra_core.intake.opening.opening import Source
from zebra_core.intake.sorting.segment_names import segment_place


@pytest.mark.parametrize(
    ("path", "setting", "run", "safeguard", "folder"),
    [
        ("libri_f/B2/scores_oo.txt.gz", "oo", "", "B2", "B2"),
        ("libri_f/B2r/scores_op_run0.txt.gz", "op", "0", "B2r", "B2r"),
        ("libri_f/B2r/scores_p0p1.txt.gz", "pp", "0–1", "B2r", "B2r"),
        ("libri_f/B2r/PP_run_1.csv", "pp", "1", "B2r", "B2r"),
        ("libri_f/B2/o-a.scores", "op", "", "B2", "B2"),
        ("libri_f/B2/A-A", "pp", "", "B2", "B2"),
        ("libri_f/B2/op/scores", "op", "", "B2", "B2"),
        ("libri_f/B2r/run1/op.txt", "op", "1", "B2r", "B2r"),
        ("libri_f/B2r_run1/op.txt", "op", "1", "B2r", "libri_f"),
        ("libri_f/B2_op/scores", "op", "", "B2", "libri_f"),
        ("libri_f/my_McAdams-0.8_op.txt", "op", "", "my_McAdams_0_8", "libri_f"),
        ("libri_f/B2/scores.txt", None, "", "B2", "B2"),
        ("libri_f/B2/oo_op.txt", None, "", "B2", "B2"),
        ("libri_f/pp/scores_oo.txt", None, "", "libri_f", "libri_f"),
        ("libri_f/B2/loop.txt", None, "", "loop", "B2"),
        ("libri_f/B2/unprotected-oo.txt", "oo", "", "unprotected", "B2"),
    ],
)
def test_a_place_is_read_off_names(
    path: str, setting: str | None, run: str, safeguard: str, folder: str
) -> None:
    found = segment_place(Source(Path("/data") / path))

    assert (found.setting, found.run, found.safeguard, found.folder[-1]) == (setting, run, safeguard, folder)


def test_only_pp_across_runs_is_across_runs() -> None:
    assert segment_place(Source(Path("/d/B2r/p0p1.txt"))).across_runs
    assert not segment_place(Source(Path("/d/B2r/pp_run0.txt"))).across_runs


def test_a_member_of_an_archive_has_its_own_folders() -> None:
    found = segment_place(Source(Path("/d/all.zip"), "B2/scores_pp.txt"))
    assert (found.setting, found.safeguard, found.folder[-2:]) == ("pp", "B2", ("all.zip", "B2"))

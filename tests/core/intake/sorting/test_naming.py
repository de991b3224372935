"""What the folders of evaluations mean: path by path, rule by rule, and nothing that a name does not say."""

import re
import shutil
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from tests.core.plans import asks_nothing
from zebra_core.intake.opening.opening import Source
from zebra_core.intake.planned import FoundFile, Plan, PlannedAssessment
from zebra_core.intake.sorting.naming import (
    IGNORANT,
    LAZY_INFORMED,
    SEMI_INFORMED,
    key_name,
    keys_by_layout,
    named_by_folders,
    parts_of,
)
from zebra_core.intake.sorting.plan import plan
from zebra_core.project.items import Attacker

DATA = Path(__file__).parents[3] / "data"
LAYOUTS = DATA / "intake" / "layouts"


def expected() -> dict[str, dict[str, tuple[str, ...]]]:
    """Layout, folder of the scores: safeguard, dataset, condition, attacker."""
    _, *rows = (LAYOUTS / "expected.tsv").read_text(encoding="utf-8").splitlines()
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for layout, folder, *names in (row.split("\t") for row in rows):
        found.setdefault(layout, {})[folder] = tuple(names)
    return found


NAMED = expected()


def named(made: Plan, below: Path) -> dict[str, tuple[str, ...]]:
    return {
        one.scores.source.path.parent.relative_to(below).as_posix(): (
            (one.name, one.dataset, one.condition or "", one.attacker)
        )
        for one in made.assessments
    }


def rules(one: PlannedAssessment) -> str:
    return next(str(finding) for finding in one.findings if finding.code == "by-folders")


def planned_at(path: str, *others: str, keys: tuple[str, ...] = ()) -> PlannedAssessment:
    """What an assessment of scores at this path is called, when others come along."""
    all_of_them = [
        PlannedAssessment("file", FoundFile(Source(Path(one)), (), None)) for one in (path, *others)
    ]
    return named_by_folders(all_of_them, [FoundFile(Source(Path(key)), (), None) for key in keys])[0]


def test_recogniser_and_back_end_are_read_from_folders_that_name_them() -> None:
    made = plan([LAYOUTS / "2026"])
    assert {(one.recogniser, one.back_end) for one in made.assessments} == {
        ("asv_ssl", "cosine"),
        ("", "cosine"),
    }
    one = next(one for one in made.assessments if one.recogniser)
    assert "recogniser “asv_ssl”, the folder of its results" in rules(one)
    assert "back end “cosine”, from the folder of its distances" in rules(one)
    assert {(one.recogniser, one.back_end) for one in plan([LAYOUTS / "2024"]).assessments} == {("", "")}


@pytest.mark.parametrize("layout", NAMED)
def test_each_layout_is_understood_as_a_whole(layout: str) -> None:
    made = plan([LAYOUTS / layout])
    assert named(made, LAYOUTS / layout / "exp") == NAMED[layout]
    assert {one.run for one in made.assessments} == {""}
    assert (made.questions, made.problems, made.unused) == ((), (), ())
    assert asks_nothing(made)


def test_the_attackers_are_those_of_the_project() -> None:
    assert [Attacker(value) for value in (IGNORANT, LAZY_INFORMED, SEMI_INFORMED)] == list(Attacker)[:3]


def test_an_archive_of_a_layout_is_understood_alike(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "run.zip", "w") as archive:
        for path in sorted((LAYOUTS / "toolkit").rglob("*")):
            archive.write(path, path.relative_to(LAYOUTS / "toolkit"))
    made = plan([tmp_path / "run.zip"])
    found = {(one.name, one.dataset, one.condition, one.attacker) for one in made.assessments}
    assert found == set(NAMED["toolkit"].values())
    assert len(made.assessments) == 10


def test_every_rule_that_named_an_assessment_is_said() -> None:
    found = {
        one.scores.source.path.parent.relative_to(LAYOUTS).as_posix(): rules(one)
        for one in plan([LAYOUTS / "2022", LAYOUTS / "2024"]).assessments
    }
    assert found["2024/exp/asv_orig/libri_dev_enrolls-libri_dev_trials_f_mcadams"] == (
        "Names taken from the folders: safeguard “mcadams”, from the suffix “_mcadams” of the trials, "
        "because no folder names a system; dataset “libri_dev_f”, from “libri_dev_trials_f” without "
        "“trials” and “test”; OP, because the trials alone carry the suffix “_mcadams”; ignorant: "
        "“asv_orig” says that the recogniser was trained on original speech. Correct in the tree what is "
        "wrong."
    )
    assert (
        "semi-informed: beside “results-2022-06-01-10-00-00.orig”"
        in (
            found["2022/exp/results-2022-06-01-10-00-00/ASV-libri_test_enrolls_anon-libri_test_trials_m_anon"]
        )
    )


def test_the_unprotected_baseline_of_several_systems_is_kept_once_and_that_is_said() -> None:
    made = plan([DATA / "reference"])
    baselines = [one for one in made.assessments if one.condition == "OO"]
    assert [(one.name, one.dataset) for one in baselines] == [
        ("unprotected", "other_f"),
        ("unprotected", "other_m"),
    ]
    pair = "ASV-other_test_enrolls-other_test_trials_f/scores"
    [told] = [str(finding) for finding in baselines[0].findings if finding.code == "baseline-repeated"]
    assert told == (
        f"B1w/{pair}: 3 other systems come with the same scores of unprotected speech, byte for byte, so "
        f"they are shown once. Left out: B2/{pair}, B2r/{pair}, B2r_run1/{pair}."
    )
    assert made.unused == ()
    assert len(made.assessments) == 18


def test_a_baseline_that_differs_in_one_byte_is_kept(tmp_path: Path) -> None:
    shutil.copytree(LAYOUTS / "toolkit", tmp_path / "toolkit")
    pair = "results-2020-07-01/ASV-libri_test_enrolls-libri_test_trials_f/scores"
    scores = tmp_path / "toolkit/exp/Baseline/primary" / pair
    scores.write_text(scores.read_text().replace("0", "1", 1))
    kept = [one for one in plan([tmp_path]).assessments if (one.condition, one.dataset) == ("OO", "libri_f")]
    assert len(kept) == 2
    assert all(finding.code != "baseline-repeated" for one in kept for finding in one.findings)


def test_a_number_of_a_run_at_the_end_of_a_system_is_its_run() -> None:
    found = planned_at("exp/B2r_run1/ASV-libri_test_enrolls-libri_test_trials_f_anon/scores")
    assert (found.name, found.run) == ("B2r", "1")
    assert "safeguard “B2r”, run 1, because the folder “B2r_run1” ends in the number of a run" in rules(found)
    assert planned_at("exp/run1/ASV-a_enrolls-a_trials_anon/scores").name == "run1"


def test_several_folders_of_results_are_runs() -> None:
    first, second = (
        f"exp/team/system/results-2020-{day}/ASV-a_enrolls-a_trials_anon/scores" for day in ("1", "2")
    )
    assert planned_at(first).run == ""
    assert planned_at(first, second).run == "2020-1"
    assert planned_at(second, first).run == "2020-2"


@pytest.mark.parametrize(
    ("path", "attacker"),
    [
        ("exp/B1/ASV_eval_anon-a_enrolls_anon-a_trials_anon/scores", "semi-informed"),
        ("exp/B1/asv_eval_anon/ASV-a_enrolls_anon-a_trials_anon/scores", "semi-informed"),
        ("exp/B1/user_asv_eval_anon/ASV-a_enrolls_anon-a_trials_anon/scores", "semi-informed"),
        ("exp/asv_anon/a_enrolls_anon-a_trials_anon/scores", "semi-informed"),
        ("exp/B1/asv_orig/ASV-a_enrolls_anon-a_trials_anon/scores", "lazy-informed"),
        ("exp/B1/ASV-a_enrolls_anon-a_trials_anon/scores", "lazy-informed"),
        ("exp/B1/results-1.orig/ASV-a_enrolls_anon-a_trials_anon/scores", "lazy-informed"),
        ("exp/B1/ASV-a_enrolls-a_trials_anon/scores", "ignorant"),
        ("exp/B1/ASV-a_enrolls-a_trials/scores", ""),
    ],
)
def test_the_attacker_is_told_by_what_the_recogniser_was_trained_on(path: str, attacker: str) -> None:
    assert planned_at(path).attacker == attacker


@pytest.mark.parametrize(
    ("name", "keys", "condition", "said"),
    [
        ("a_enrolls-a_trials_f_x", ("data/a_trials_f/trials",), "OP", "alone carry the suffix “_x”"),
        ("a_enrolls-a_trials_f_x", (), "OP", "alone carry the suffix “_x”"),
        ("a_enrolls-a_trials_f_v2", ("data/a_trials_f_v2/trials",), None, "may be a suffix or belong to"),
        ("a_enrolls_x-a_trials_f", (), None, "the enrolment alone carries a suffix, “_x”"),
        ("a_enrolls_x-a_trials_f_y", (), None, "different suffixes, “_x” and “_y”"),
        ("a_enrolls_x-y-a_trials_f_x-y", (), "PP", "the suffix “_x-y”"),
        ("left-eval_f", ("data/eval_f/key",), "OO", "neither enrolment nor trials"),
        ("left-eval_f_x", ("data/eval_f/key",), "OP", "alone carry the suffix “_x”"),
        ("left_x-eval_f_x", ("data/eval_f/key",), "PP", "carry the suffix “_x”"),
        ("left-eval_f_anon", ("data/eval_f_anon/key",), None, "may be a suffix"),
        ("left-eval_f_anon", ("data/eval_f_anon/key", "data/eval_f/key"), "OP", "the suffix “_anon”"),
    ],
)  # fmt: skip
def test_conditions_are_told_by_suffixes_and_not_guessed(
    name: str, keys: tuple[str, ...], condition: str | None, said: str
) -> None:
    found = planned_at(f"exp/B1/ASV-{name}/scores", keys=keys)
    assert found.condition == condition
    assert said in rules(found)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("data/libri_test_trials_f/trials", "libri_test_trials_f"),
        ("keys-voiceprivacy-2020/libri_test_trials_f_anon", "libri_test_trials_f_anon"),
        ("keys-voiceprivacy-2020/vctk_common_test_trials_m", "vctk_test_trials_m_common"),
        ("data/libri_test/trials_f", "libri_test_trials_f"),
        ("data/vctk_dev/trials_f_common_mic2", "vctk_dev_trials_f_common"),
        ("data/trials", "data"),
    ],
)
def test_a_key_is_called_after_its_set(path: str, name: str) -> None:
    assert key_name(Source(Path(path))) == name


def test_of_keys_with_one_name_the_nearest_counts() -> None:
    scores = Source(Path("/one/exp/ASV-a_enrolls-a_trials_f/scores"))
    keys = [Source(Path(f"/{run}/data/a_trials_f/trials")) for run in ("two", "one")]
    assert keys_by_layout(scores, keys) == [keys[1]]


def test_sets_that_would_be_called_alike_keep_their_whole_names() -> None:
    paths = [f"exp/B1/ASV-a_enrolls-{trials}/scores" for trials in ("a_test_trials_f", "a_trials_f")]
    assert [planned_at(*order).dataset for order in (paths, paths[::-1])] == ["a_test_trials_f", "a_trials_f"]


def test_other_places_say_nothing() -> None:
    for path in (
        "scores",
        "/scores",
        "exp/B1/scores",
        "a-b/scores",
        "exp/x-a_trials_f/scores",
        "ASV--/scores",
    ):
        found = planned_at(path, keys=("data/trials",))
        assert (found.name, found.condition, found.findings) == ("file", None, ()), path


PIECES = (
    "ASV- exp asv_anon asv_orig results-1 .orig libri _test _dev _enrolls _trials _f _m _common _anon _x "
    "- -- _ . / enrolls trials scores é"
)
words = st.sampled_from([*PIECES.split(), " ", "\u202e", "\n"])


@given(
    path=st.lists(words, max_size=14).map("".join),
    keys=st.lists(st.lists(words, min_size=1, max_size=6).map("".join), max_size=3),
)
@settings(max_examples=500, deadline=None)
def test_no_name_says_more_than_it_says(path: str, keys: list[str]) -> None:
    scores = f"{path}/scores"
    found = planned_at(scores, keys=tuple(f"data/{key}/trials" for key in keys))
    if found.condition in ("OP", "PP"):
        suffix = parts_of(Source(Path(scores)), {Path(key).name for key in keys}).sides.trials_suffix
        pair = next(part for part in reversed(scores.split("/")[:-1]) if part)
        assert suffix
        assert pair.removesuffix(".txt").endswith(suffix)
        assert found.condition == "OP" or pair.count(suffix) >= 2
    if found.attacker == "semi-informed":
        assert found.condition == "PP"
        assert re.search("anon", path)
    if found.findings:
        assert found.dataset
        assert "\n" not in str(found.findings[0])

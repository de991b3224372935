"""Files of segment scores become similarity matrices; what names leave open is asked."""

import shutil
from pathlib import Path

import pytest

from tests.core.plans import asks_nothing
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.intake.opening.opening import Source
from zebra_core.intake.planned import (
    ACROSS_RUNS,
    LEFT_OUT,
    Plan,
    PlannedSimilarity,
    Topic,
    setting_id,
    speakers_id,
)
from zebra_core.intake.sorting.plan import plan
from zebra_core.intake.sorting.segment_plan import as_chosen, chosen_setting, segment_place, segment_question
from zebra_core.project.reading.reading import try_planned_similarity

DATA = Path(__file__).parents[3] / "data" / "similarity"

PAIRS = "a-1 a-2 1\na-1 b-1 0\na-2 b-1 0.5\nb-1 b-2 1\n"
MAP = "a-1 a\na-2 a\nb-1 b\nb-2 b\n"


@pytest.fixture
def drop(tmp_path: Path):
    """Writes files and plans what they come to."""

    def write_and_plan(files: dict[str, str], choices: dict[str, str] | None = None) -> Plan:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        named = {id_.replace("TMP", str(tmp_path)): choice for id_, choice in (choices or {}).items()}
        return plan([tmp_path], named)

    return write_and_plan


def shown(one: PlannedSimilarity) -> tuple[str, str, str, dict[str, str]]:
    files = {setting: "/".join(file.source.folders[-2:]) for setting, file in one.settings.items()}
    return one.name, one.dataset, one.run, files


def _names(one: PlannedSimilarity) -> dict[str, str]:
    return {setting: file.source.name for setting, file in one.settings.items()}


def test_a_folder_of_sets_becomes_one_similarity_for_each_safeguard_and_set() -> None:
    made = plan([DATA])

    assert asks_nothing(made)
    assert not made.unused
    assert [(one.dataset, one.name, list(one.settings)) for one in made.similarities] == [
        (dataset, name, ["oo", "op", "pp"])
        for dataset in ("other_f", "other_m")
        for name in ("B1w", "B2", "B2r")
    ]
    # What compares originals is shared, and each set has its own.
    assert shown(made.similarities[4])[3]["oo"] == "other_m/scores_oo.txt.gz"


def test_runs_are_apart_and_share_what_is_original(drop) -> None:
    names = ("oo", "op", "pp", "op_run0", "pp_run0", "op_run1", "pp_run1", "p0p1")
    # Each with one more score that no other has: what is the same is shown once.
    texts = {f"set/B2r/scores_{name}.txt": f"{PAIRS}b-2 a-1 0.{k}\n" for k, name in enumerate(names)}
    made = drop({"set/utt2spk": MAP, **texts})

    files = {one.run: {k: name[7:-4] for k, name in _names(one).items()} for one in made.similarities}
    assert files == {
        "": {"oo": "oo", "op": "op", "pp": "pp"},
        "0": {"oo": "oo", "op": "op_run0", "pp": "pp_run0"},
        "1": {"oo": "oo", "op": "op_run1", "pp": "pp_run1"},
        "0–1": {"oo": "oo", "pp": "p0p1"},
    }
    assert {(one.name, one.dataset) for one in made.similarities} == {("B2r", "set")}
    assert [one.across_runs for one in made.similarities if one.run == "0–1"] == [True]
    assert len({one.place for one in made.similarities}) == 4


def test_a_run_that_lies_there_under_two_names_is_shown_once_and_told(drop) -> None:
    other = PAIRS.replace("0.5", "0.25")
    texts = {"oo": PAIRS, "op": PAIRS, "pp": other, "op_run0": PAIRS, "pp_run0": other, "op_run1": other}
    made = drop({"set/utt2spk": MAP, **{f"set/B2r/{name}.txt": text for name, text in texts.items()}})

    assert [one.run for one in made.similarities] == ["", "1"]
    [finding] = made.similarities[0].findings
    assert str(finding) == (
        "B2r: the files of another run are the same, byte for byte, so they are shown once. Left out: "
        "op_run0.txt, pp_run0.txt."
    )
    assert made.similarities[1].findings == ()
    assert asks_nothing(made)
    assert not made.unused
    told = try_planned_similarity(made.similarities[0]).entry
    assert told is not None
    assert told.similarity.remarks_on_files[-1].code == "matrices-repeated"


def test_the_same_scores_of_two_safeguards_stay_apart(drop) -> None:
    made = drop({"set/utt2spk": MAP, "set/B1/op.txt": PAIRS, "set/B2/op.txt": PAIRS})

    assert [one.name for one in made.similarities] == ["B1", "B2"]


def test_originals_alone_are_a_similarity_of_their_own(drop) -> None:
    [one] = drop({"set/utt2spk": MAP, "set/unprotected/oo": PAIRS}).similarities
    assert shown(one) == ("unprotected", "set", "", {"oo": "unprotected/oo"})


def test_of_several_different_originals_elsewhere_none_is_taken(drop) -> None:
    other = PAIRS.replace("0.5", "0.25")
    made = drop({"utt2spk": MAP, "x/oo": PAIRS, "y/oo": other, "B2/op": PAIRS})
    assert [list(one.settings) for one in made.similarities if one.name == "B2"] == [["op"]]

    copies = drop({"y/oo": PAIRS})
    assert [list(one.settings) for one in copies.similarities if one.name == "B2"] == [["oo", "op"]]


def test_a_setting_that_no_name_says_is_asked_and_never_guessed(drop) -> None:
    files = {"set/utt2spk": MAP, "set/B2/oo": PAIRS, "set/B2/mystery": PAIRS}
    made = drop(files)

    [question] = made.questions
    assert (question.topic, str(question)) == (Topic.SETTING, "What was compared in mystery?")
    assert [one.choice for one in question.alternatives] == ["oo", "op", "pp", ACROSS_RUNS, LEFT_OUT]
    assert [one.name for one in made.similarities] == ["B2"]

    answered = drop(files, {question.id: "pp"})
    assert not answered.questions
    by_name = {one.name: shown(one)[3] for one in answered.similarities}
    assert by_name == {"mystery": {"oo": "B2/oo", "pp": "B2/mystery"}}
    assert [one.across_runs for one in answered.similarities] == [False]
    across = drop(files, {question.id: ACROSS_RUNS})
    (mystery,) = (one for one in across.similarities if one.name == "mystery")
    assert mystery.across_runs
    again = as_chosen(mystery.files, mystery.choices)  # whatever the files are called then
    assert again is not None
    assert (again.across_runs, list(again.settings)) == (True, ["oo", "pp"])
    left_out = drop(files, {question.id: LEFT_OUT})
    assert [file.source.name for file in left_out.unused] == ["mystery"]


def test_two_files_of_one_setting_are_both_asked_about(drop) -> None:
    files = {"set/utt2spk": MAP, "set/B2/op.txt": PAIRS, "set/B2/scores_op.csv": PAIRS}
    made = drop(files)

    assert {question.source.name for question in made.questions} == {"op.txt", "scores_op.csv"}
    assert made.similarities == ()
    answered = drop(files, {made.questions[0].id: LEFT_OUT})
    assert [list(one.settings) for one in answered.similarities] == [["op"]]
    assert not answered.questions


def test_without_a_map_it_is_asked_once_who_speaks(drop) -> None:
    files = {"B2/oo": PAIRS, "B2/op": PAIRS}
    made = drop(files)

    [question] = made.questions
    assert question.topic is Topic.SPEAKERS
    assert question.alternatives[0].words == "by the id up to its first hyphen: a-1 is spoken by a"
    [one] = drop(files, {question.id: "before-hyphen"}).similarities
    assert (one.speakers, list(one.settings)) == (SpeakerRule.BEFORE_HYPHEN, ["oo", "op"])
    assert one.choices[speakers_id(one.settings["op"].source)] == "before-hyphen"
    assert drop(files, {question.id: LEFT_OUT}).similarities == ()


def test_a_key_of_these_pairs_makes_an_assessment_of_them(drop) -> None:
    key = "a-1 a-2 target\na-1 b-1 nontarget\na-2 b-1 nontarget\nb-1 b-2 target\n"
    made = drop({"utt2spk": MAP, "scores_oo": PAIRS, "key": key})

    assert [one.name for one in made.assessments] == ["scores_oo"]
    assert made.similarities == ()


def test_below_a_folder_of_matrices_no_key_makes_an_assessment(drop) -> None:
    key = "a-1 a-2 target\na-1 b-1 nontarget\na-2 b-1 nontarget\nb-1 b-2 target\n"
    scores = {f"matrices/set/{name}": PAIRS for name in ("scores_oo", "B2/scores_pp", "B2/scores")}
    made = drop({"key": key, "matrices/set/utt2spk": MAP, **scores})

    assert [one.name for one in made.assessments] == ["B2"]
    assert [shown(one) for one in made.similarities] == [
        ("B2", "set", "", {"oo": "set/scores_oo", "pp": "B2/scores_pp"})
    ]


def test_a_key_of_other_pairs_does_not(drop) -> None:
    made = drop({"utt2spk": MAP, "B2/oo": PAIRS, "key": "x y target\nx z nontarget\n"})

    assert made.assessments == ()
    assert [one.name for one in made.similarities] == ["B2"]


def test_enrolments_that_are_no_segments_wait_for_their_key(drop) -> None:
    made = drop({"utt2spk": MAP, "scores_op": "x a-1 1\nx a-2 0\ny b-1 0.5\ny b-2 1\n"})
    assert (made.similarities, made.questions) == ((), ())
    assert {file.source.name for file in made.unused} == {"utt2spk", "scores_op"}


def test_the_dataset_is_named_by_the_folder_of_its_map(drop) -> None:
    made = drop({"data/libri_f/utt2spk": MAP, "exp/B2/oo": PAIRS})
    assert made.similarities[0].dataset == "libri_f"


def test_the_nearest_genders_come_along(drop) -> None:
    made = drop({"set/utt2spk": MAP, "set/spk2gender": "a f\nb m\n", "set/B2/oo": PAIRS})
    [one] = made.similarities
    assert one.sex is not None
    assert not made.unused


def test_what_was_taken_for_granted_can_be_answered_otherwise(drop) -> None:
    made = drop({"set/utt2spk": MAP, "set/B2/oo": PAIRS})
    [file] = made.similarities[0].settings.values()

    question = segment_question(made, file, {})
    assert question is not None
    assert question.id == setting_id(file.source)
    assert chosen_setting(made, file) == "oo"


def test_the_choices_of_a_plan_lead_to_it_again(tmp_path: Path) -> None:
    shutil.copytree(DATA / "other_f", tmp_path / "other_f")
    for one in plan([tmp_path]).similarities:
        [again] = plan([file.source.path for file in one.files], one.choices).similarities
        assert again == one


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

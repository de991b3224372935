"""The keys of a drop are read once, whether that goes well or not."""

from pathlib import Path

import pytest

from tests.core.attribute_cases import ACCENT, SAID, SEX, two_columns, write_drop, write_scores
from zebra_core.errors import InputError
from zebra_core.intake.planned import Contents, PlannedAssessment, reading_id
from zebra_core.intake.sorting.plan import plan
from zebra_core.intake.sorting.sorter import KeyTables


def test_a_key_that_cannot_be_read_is_tried_once_however_many_score_files_there_are(tmp_path, monkeypatch):
    for number in range(5):
        (tmp_path / f"scores{number}").write_text("a b 1.0\na c 2.0\n")
    (tmp_path / "trials").write_text("a b target\na c nontarget\n")
    tables = KeyTables()
    tried: list[str] = []

    def broken(_contents, key, _on_progress):
        tried.append(key.source.name)
        raise InputError("not-text", file=key.source.name, byte="00", line=1)

    key = next(file for file in plan([tmp_path]).files if file.source.name == "trials")
    monkeypatch.setattr(Contents, "table", broken)
    for _ in range(5):
        with pytest.raises(InputError):
            tables.table(key)

    assert tried.count("trials") == 1


def files_of(planned: PlannedAssessment) -> dict[str, list[str]]:
    return {
        "speakers": [planned.speakers.source.path.name] if planned.speakers else [],
        "attributes": sorted(file.source.path.name for file in planned.attributes),
        "predictions": [file.source.path.name for file in planned.predictions],
    }


def test_each_file_of_two_columns_is_told_by_its_ids_and_words(tmp_path: Path) -> None:
    write_drop(tmp_path)
    made = plan([tmp_path])
    [planned] = made.assessments
    assert files_of(planned) == {
        "speakers": ["who"],
        "attributes": ["accent", "sex"],
        "predictions": ["heard"],
    }
    assert (made.unused, made.problems, made.questions) == ((), (), ())


def test_the_same_files_make_the_same_again_by_the_choices_that_are_kept(tmp_path: Path) -> None:
    write_drop(tmp_path)
    [before] = plan([tmp_path]).assessments
    assert before.choices[reading_id(before.predictions[0].source)] == "predictions"
    [again] = plan([file.source.path for file in before.files], before.choices).assessments
    assert files_of(again) == files_of(before)


def test_an_attribute_that_goes_round_like_the_list_is_seen(tmp_path: Path) -> None:
    who = "abcdef"
    rows = [(model, f"{one}{k}") for one in who for k in range(3) for model in who]  # m f m f m f …
    (tmp_path / "scores").write_text("".join(f"{a} {b} {k % 7}.5\n" for k, (a, b) in enumerate(rows)))
    labels = (f"{a} {b} {'target' if a == b[0] else 'nontarget'}\n" for a, b in rows)
    (tmp_path / "trials").write_text("".join(labels))
    (tmp_path / "spk2gender").write_text("".join(f"{one} {'mf'[k % 2]}\n" for k, one in enumerate(who)))
    (planned,) = plan([tmp_path]).assessments
    assert [file.source.name for file in planned.attributes] == ["spk2gender"]


def test_an_attribute_is_seen_though_the_list_begins_with_many_of_one_value(tmp_path: Path) -> None:
    """A list sorted by sex: its first thousand lines are of women alone; the map of speakers has all."""
    who = [f"s{k:02d}" for k in range(16)]
    rows = [(a, f"{b}-{n}") for half in (who[:8], who[8:]) for n in range(30) for a in half for b in half]
    (tmp_path / "scores").write_text("".join(f"{a} {b} {k % 7}.5\n" for k, (a, b) in enumerate(rows)))
    labels = (f"{a} {b} {'target' if a == b[:3] else 'nontarget'}\n" for a, b in rows)
    (tmp_path / "trials").write_text("".join(labels))
    (tmp_path / "utt2spk").write_text(
        "".join(f"{one} {one[:3]}\n" for one in dict.fromkeys(b for _, b in rows))
    )
    (tmp_path / "spk2gender").write_text("".join(f"{one} {'fm'[k // 8]}\n" for k, one in enumerate(who)))
    (planned,) = plan([tmp_path]).assessments
    assert [file.source.name for file in planned.attributes] == ["spk2gender"]


def test_an_attribute_that_all_share_and_predictions_without_attribute_belong_to_nothing(
    tmp_path: Path,
) -> None:
    write_scores(tmp_path)
    (tmp_path / "sex").write_text(two_columns(dict.fromkeys(SEX, "f")))
    (tmp_path / "heard").write_text(two_columns(SAID))
    [planned] = plan([tmp_path]).assessments
    assert (planned.attributes, planned.predictions) == ((), ())


def test_an_attribute_that_all_share_is_taken_where_its_file_itself_was_given(tmp_path: Path) -> None:
    write_scores(tmp_path)
    sex = tmp_path / "sex"
    sex.write_text(two_columns(dict.fromkeys(SEX, "f")))
    (tmp_path / "age").write_text(two_columns(dict.fromkeys(SEX, "old")))
    [planned] = plan([tmp_path, sex]).assessments
    assert [file.source.path for file in planned.attributes] == [sex]


@pytest.mark.parametrize("has_map", [True, False])
def test_predictions_of_an_accent_are_not_taken_for_a_map_of_speakers(tmp_path: Path, has_map: bool) -> None:
    write_drop(tmp_path)
    (tmp_path / "heard").write_text(two_columns({one: ACCENT[one[:2]] for one in SAID}))
    (tmp_path / "sex").unlink()
    if not has_map:
        (tmp_path / "who").unlink()
    [planned] = plan([tmp_path]).assessments
    assert files_of(planned) == {
        "speakers": ["who"] if has_map else [],
        "attributes": ["accent"],
        "predictions": ["heard"],
    }


def test_predictions_belong_to_the_scores_of_their_folder(tmp_path: Path) -> None:
    write_scores(tmp_path / "B1")
    write_scores(tmp_path / "B2", seed=1)
    (tmp_path / "sex").write_text(two_columns(SEX))
    (tmp_path / "accent").write_text(two_columns(ACCENT))
    (tmp_path / "B2" / "heard").write_text(two_columns(SAID))
    first, second = plan([tmp_path]).assessments
    assert [file.source.path.name for file in first.attributes] == ["accent", "sex"]
    assert first.predictions == ()
    assert [file.source.path.parent.name for file in second.predictions] == ["B2"]


def test_of_two_predictions_of_one_attribute_none_is_chosen(tmp_path: Path) -> None:
    write_drop(tmp_path)
    (tmp_path / "heard-again").write_text(two_columns(SAID))
    [planned] = plan([tmp_path]).assessments
    assert planned.predictions == ()


def two_speakers(folder: Path) -> list[str]:
    """Scores and a key of models s1 and s2, and the recordings that were compared with them."""
    folder.mkdir(exist_ok=True)
    heard = [f"u{k}" for k in range(6)]
    rows = [(model, one) for model in ("s1", "s2") for one in heard]
    (folder / "scores").write_text("".join(f"{a} {b} 0.{k}1\n" for k, (a, b) in enumerate(rows)))
    labels = (f"{a} {b} {'target' if int(b[1]) % 2 == int(a[1]) - 1 else 'nontarget'}\n" for a, b in rows)
    (folder / "trials").write_text("".join(labels))
    return heard


WORDS = {
    "chinese": ("我们今天去雪校", "你好世界", "谢谢", "再见", "早上好", "晚安"),
    "commands": ("yes", "left", "stop", "yes", "right", "down"),
}


@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
def test_one_word_for_each_recording_is_asked_not_taken_for_who_speaks(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    heard = two_speakers(tmp_path)
    (tmp_path / "hyp").write_text(two_columns(dict(zip(heard, words, strict=True))), encoding="utf-8")
    made = plan([tmp_path])
    [question] = made.questions
    assert [one.choice for one in question.alternatives] == ["utt2spk", "transcript"]
    [planned] = made.assessments
    assert planned.speakers is None
    [planned] = (made := plan([tmp_path], {question.id: "transcript"})).assessments
    assert (planned.speakers, [one.name for one in made.transcripts]) == (None, ["hyp"])
    [planned] = plan([tmp_path], {question.id: "utt2spk"}).assessments
    assert planned.speakers


@pytest.mark.parametrize(
    ("name", "people"),
    [
        ("utt2spk", ["ann", "bob", "cid", "dee", "eve", "fay"]),  # called so
        ("who", ["s1", "s2", "s1", "s2", "s1", "s2"]),  # with digits, and those who are enrolled
        ("who", ["ann", "bob", "ann", "bob", "ann", "bob"]),  # who speak several times
    ],
)
def test_who_speaks_is_not_asked_where_it_is_clear(tmp_path: Path, name: str, people: list[str]) -> None:
    heard = two_speakers(tmp_path)
    (tmp_path / name).write_text(two_columns(dict(zip(heard, people, strict=True))))
    made = plan([tmp_path])
    assert (made.questions, files_of(made.assessments[0])["speakers"]) == ((), [name])

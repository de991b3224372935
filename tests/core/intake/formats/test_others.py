"""What lies beside scores and is of no trials is named; manifests of recordings say who speaks."""

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.core.plans import asks_nothing
from zebra_core.errors import InputError, ZebraError
from zebra_core.evidence.audit import Answers
from zebra_core.intake.drop import read_speaker_map
from zebra_core.intake.formats.recognising import recognise
from zebra_core.intake.opening.opening import OpenedFile, Source, open_file
from zebra_core.intake.planned import reading_id
from zebra_core.intake.sorting.plan import plan
from zebra_core.project.reading.arrival import arrive

SCORES = "a a-1 1.5\na b-1 0.5\nb a-1 -0.25\nb b-1 2.5\n"
KEY = "a a-1 target\na b-1 nontarget\nb a-1 nontarget\nb b-1 target\n"
EMOTIONS = "a-1 ang\nb-1 hap\n"
MANIFEST = "".join(
    json.dumps(
        {"path": f"{{root}}/{who}/{who}-1.wav", "label": who, "gender": sex, "text": "so", "utt_emotion": "x"}
    )
    + "\n"
    for who, sex in (("a", "F"), ("b", "M"))
)


def folder(tmp_path: Path, **files: str) -> Path:
    for name, text in {"scores": SCORES, "key": KEY, **files}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (EMOTIONS, "f gives the emotion of each recording, such as “ang”"),
        ("4 clean\n3 anonymized\n", "f has ratings. Choose an assessment"),
        ("4.2 clean\n3.1 anonymized\n", "f has ratings"),
        ("deg,mos_pred\nu1.wav,3.1\n", "f has ratings"),
        ("the cat sat (u-1)\nno dog (u-2)\n", "f is a transcript. Choose an assessment"),
        ("start\tend\ttext\n0\t1000\tthe cat sat\n", "f is a transcript"),
        ("utt,ref,hyp\nu1,the cat,the hat\n", "f is a transcript"),
        ('{"text": "the cat", "segments": []}', "f is a transcript"),
        ('{"words": [0.1, 0.2]}', "f is JSON, but none that ZEBRA knows"),
    ],
)
def test_what_is_of_no_trials_is_named(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "f").write_text(text)
    [problem] = plan([tmp_path / "f"]).problems
    assert str(problem.error).startswith(told)


def test_emotions_of_recordings_make_no_speakers_and_do_not_keep_a_folder_from_being_read(
    tmp_path: Path,
) -> None:
    """Read as a map of speakers, two emotions were two speakers of all trials."""
    made = plan([folder(tmp_path, utt2emo=EMOTIONS)])
    assert asks_nothing(made)
    assert made.assessments[0].speakers is None
    with pytest.raises(InputError, match="gives the emotion of each recording"):
        read_speaker_map(tmp_path / "utt2emo")


def test_a_manifest_says_who_speaks_and_what_was_not_used(tmp_path: Path) -> None:
    made = plan([folder(tmp_path, **{"m.jsonl": MANIFEST})])
    [question] = made.questions
    assert [one.words for one in question.alternatives] == [
        "speaker map (JSON lines of recordings)",
        "genders of speakers",
    ]
    source = Source(tmp_path / "m.jsonl")
    arrival = arrive([tmp_path], Answers({reading_id(source): "manifest"}))
    [entry] = arrival.entries
    assert "m.jsonl also says gender, text, utt_emotion, which was not used." in map(
        str, entry.audit.findings
    )
    assert read_speaker_map(tmp_path / "m.jsonl", {reading_id(source): "manifest"}) == {
        "a-1": "a",
        "b-1": "b",
    }

    [planned] = plan([tmp_path], {reading_id(source): "spk2gender"}).assessments
    assert [dict(file.values) for file in planned.attributes] == [{"a": "F", "b": "M"}]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("no json", r"m, line 3: “no json” does not say who speaks"),
        ('{"path": "x.wav"}', "line 3: .* does not say who speaks"),
        ('{"path": "a-1.wav", "label": "b"}', "line 3: a-1 is given b, but a before"),
        ("[" * 9000, "line 3: .* does not say who speaks"),
    ],
)
def test_a_line_of_a_manifest_that_says_something_else_is_named(tmp_path: Path, line: str, told: str) -> None:
    (tmp_path / "m").write_text(MANIFEST + line + "\n")
    found = recognise(open_file(tmp_path / "m"))
    with pytest.raises(InputError, match=told):
        found.read()


@given(st.lists(st.sampled_from([*'{}[]:,"\n', "path", "label", "gender", "a.wav", "../", "1"]), max_size=60))
def test_nothing_but_sentences_comes_of_any_manifest(pieces: list[str]) -> None:
    content = ('{"path": "../a.wav", "label": "1", "sex": "f"}\n' + "".join(pieces)).encode()
    found = recognise(OpenedFile(Source(Path("m")), content, len(content), ""))
    for reading in found.readings:
        try:
            assert found.read(reading=reading) is not None
        except ZebraError as error:
            str(error)

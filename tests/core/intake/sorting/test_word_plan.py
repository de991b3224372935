"""Transcripts with a key: scores by words, what models are made of, who is refused, and what is asked."""

from pathlib import Path

import pytest

from tests.core.words_case import EACH, PEOPLE, written
from zebra_core.errors import InputError
from zebra_core.evidence.audit import Answers, Severity
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.intake.planned import Topic
from zebra_core.intake.sorting.plan import plan
from zebra_core.project.items import Attacker, Condition
from zebra_core.project.reading.arrival import arrive
from zebra_core.project.reading.reading import assess_words, read_again, trials_of

RULE = SpeakerRule.BEFORE_HYPHEN


def put(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def remarks(entry):
    return {one.code: one for one in entry.assessment.remarks_on_files}


@pytest.fixture
def case(tmp_path):
    return written(tmp_path / "case")


@pytest.fixture
def small(tmp_path):
    """Three people with two recordings each; p1 reads one text twice, and p2 and p3 share another."""
    said = {
        "p1-1": "The cat sat.",
        "p1-2": "the CAT sat",
        "p2-1": "a dog ran far",
        "p2-2": "no bird sings",
        "p3-1": "rain falls on stone",
        "p3-2": "A dog ran far!",
    }
    trials = ["p1-1 p1-2 target", "p2-1 p2-2 target", "p3-1 p3-2 target"]
    trials += ["p1-1 p2-2 nontarget", "p2-1 p3-2 nontarget", "p3-1 p1-2 nontarget", "p3-1 p2-2 nontarget"]
    text = put(tmp_path, "text", "".join(f"{name} {words}\n" for name, words in said.items()))
    return text, put(tmp_path, "trials", "\n".join(trials) + "\n")


def test_transcripts_and_a_key_dropped_together_are_an_assessment_by_words(case):
    arrival = arrive([case / name for name in ("trials", "text", "utt2spk")])

    [entry] = [one for item in arrival.entries for one in item.entries]
    assert (entry.recogniser, entry.back_end) == ("words", "character n-grams")
    assert (entry.condition, entry.attacker) == (None, "")
    assert entry.n_trials == PEOPLE * PEOPLE * EACH // 2
    assert entry.assessment.eer < 0.2
    assert {file.role: file.rows for file in entry.files} == {
        "transcript": PEOPLE * EACH,
        "key": entry.n_trials,
        "speakers": PEOPLE * EACH,
    }


def test_words_that_belong_to_nobody_tell_nobody(tmp_path):
    folder = written(tmp_path / "none", own=0.0)

    assert assess_words([folder / "text"], folder / "trials", RULE).assessment.eer > 0.4


def test_a_model_is_its_recordings_without_those_that_are_tested(case):
    entry = assess_words([case / "text"], case / "trials", case / "utt2spk")
    told = remarks(entry)

    assert told["words-models-alike"].facts == {"key": "trials", "count": PEOPLE, "least": 3, "most": 3}
    assert told["words-learnt"].facts == {"file": "text", "count": PEOPLE * EACH, "speakers": PEOPLE}
    lines = (case / "text").read_text().splitlines(keepends=True)
    tested = [line for line in lines if int(line[4]) >= EACH // 2]
    without = put(case, "tested", "".join(tested))
    with pytest.raises(InputError, match="words of p00-3, but none to compare for p00"):
        assess_words([without], case / "trials", RULE)


def test_who_reads_the_same_text_twice_is_told_by_hand(small):
    """Of three targets one, of four nontargets one (p2-1 with p3-2) has one text on both sides."""
    entry = assess_words([small[0]], small[1], RULE)
    told = remarks(entry)["words-same-text-tells"]

    assert told.severity is Severity.WARNING
    assert told.facts == {"targets": "33.33 %", "others": "25.00 %"}
    trials = trials_of(entry)
    found = {(trials.enrol[n], trials.test[n]): float(score) for n, score in enumerate(trials.score)}
    assert found["p1-1", "p1-2"] == found["p2-1", "p3-2"] == 1.0 > found["p3-1", "p1-2"]


def test_a_trial_without_words_is_refused_with_its_line_or_left_out_by_decision(small):
    text, key = small
    lines = text.read_text().splitlines(keepends=True)
    text.write_text("".join(line for line in lines if not line.startswith("p1-2")))
    with pytest.raises(InputError, match="trials, line 1: the trial “p1-1 p1-2 target” has no words on one"):
        assess_words([text], key, RULE)

    entry = assess_words([text], key, RULE, allow=["key-lines-without-score"])
    assert entry.n_trials == 5
    assert remarks(entry)["key-lines-without-words"].facts["count"] == 2


def test_a_recording_of_which_nobody_says_who_speaks_is_refused(small, tmp_path):
    map_ = put(tmp_path, "utt2spk", "p1-1 p1\np1-2 p1\np2-1 p2\np2-2 p2\np3-1 p3\n")

    with pytest.raises(InputError, match="text has words of p3-2, but nobody says who speaks there"):
        assess_words([small[0]], small[1], map_)


def test_originals_enrolled_and_recognised_words_tested_are_op_by_somebody_who_learnt_of_originals(case):
    heard = put(case, "heard", (case / "text").read_text().replace("a", "e"))
    entry = assess_words([case / "text", heard], case / "trials", case / "utt2spk")

    assert (entry.condition, entry.attacker) == (Condition.OP, Attacker.IGNORANT.value)
    assert remarks(entry)["words-learnt"].facts["file"] == "text"
    assert [file.format for file in entry.files if file.role == "transcript"] == [
        "transcript",
        "transcript-enrolled",
    ]
    same = assess_words([case / "text"], case / "trials", case / "utt2spk")
    assert entry.assessment.eer > same.assessment.eer
    again = read_again(entry, ())
    assert again.assessment.counts.digest == entry.assessment.counts.digest


def test_of_two_transcripts_of_the_same_recordings_it_is_asked_which_is_enrolled(case):
    heard = put(case, "heard", (case / "text").read_text())
    paths = [case / name for name in ("text", "heard", "trials", "utt2spk")]
    made = plan(paths)

    assert not made.assessments
    assert {question.topic for question in made.questions} == {Topic.READING}
    [choices] = [{f"reading:{case / 'text'}": "transcript-enrolled", f"reading:{heard}": "transcript"}]
    [planned] = plan(paths, choices).assessments
    assert (planned.scores.source.path, planned.enrolled.source.path) == (heard, case / "text")


def test_without_a_map_it_is_asked_how_speakers_are_told_and_the_answer_is_remembered(case):
    paths = [case / "text", case / "trials"]
    [question] = plan(paths).questions

    assert question.topic is Topic.SPEAKERS
    arrival = arrive(paths, Answers({question.id: RULE.value}))
    [entry] = [one for item in arrival.entries for one in item.entries]
    assert entry.choices[question.id] == RULE.value
    assert read_again(entry, ()).assessment.counts.digest == entry.assessment.counts.digest


def test_beside_scores_transcripts_are_no_assessment(case):
    lines = (case / "trials").read_text().splitlines()
    scores = [f"{' '.join(line.split()[:2])} {number % 7}.5" for number, line in enumerate(lines)]
    put(case, "scores", "\n".join(scores) + "\n")
    made = plan([case])

    assert [one.scores.source.name for one in made.assessments] == ["scores"]
    assert [source.name for source in made.transcripts] == ["text"]


@pytest.mark.parametrize("name", ["words.csv", "words.trn", "words.jsonl"])
def test_every_format_of_transcripts_is_compared(case, name):
    said = dict(line.split(" ", 1) for line in (case / "text").read_text().splitlines())
    write = {
        "words.csv": lambda: "id,text\n" + "".join(f"{one},{words}\n" for one, words in said.items()),
        "words.trn": lambda: "".join(f"{words} ({one})\n" for one, words in said.items()),
        "words.jsonl": lambda: "".join(f'{{"id": "{o}", "text": "{w}"}}\n' for o, w in said.items()),
    }
    (case / "text").rename(case.parent / "text")
    put(case, name, write[name]())
    [entry] = [one for item in arrive([case]).entries for one in item.entries]
    kaldi = assess_words([case.parent / "text"], case / "trials", RULE)

    assert entry.assessment.counts.digest == kaldi.assessment.counts.digest


def test_words_are_not_compared_where_trials_are_only_counted(case):
    with pytest.raises(InputError, match="trials is so large that trials are only counted"):
        assess_words([case / "text"], case / "trials", RULE, choices={f"streaming:{case / 'trials'}": "yes"})

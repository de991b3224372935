"""Verdicts on linking, singling out, ranks, attributes and utility, by draws of their own."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tests.core.attribute_cases import write_drop
from tests.core.project.attacks import as_given
from tests.core.speakers.shifted import shifted
from zebra_core.intake.sorting.plan import plan
from zebra_core.metrics.assessment import assess
from zebra_core.project.items import Condition, Entry, SpeechKey
from zebra_core.project.project import Project
from zebra_core.project.reading.reading import try_planned
from zebra_core.project.requirements.requirement import Requirement, RequirementDetail, Sense
from zebra_core.project.utility import Utility
from zebra_core.project.verdicts.deciding import verdicts
from zebra_core.project.verdicts.measuring import lacks_bounds, with_bounds
from zebra_core.project.verdicts.verdict import Verdict, VerdictOutcome
from zebra_core.speakers.candidates import Candidates, linkage, with_people
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.one_sided import PeopleBounds, one_sided
from zebra_core.uncertainty.trust import trust_of
from zebra_core.utility.emotions import Emotions
from zebra_core.utility.listening import RatingQuestion, Ratings
from zebra_core.utility.word_errors import WordErrors, word_errors

FEW = BootstrapSettings(150)
MET, NOT_MET, OPEN = VerdictOutcome.MET, VerdictOutcome.NOT_MET, VerdictOutcome.NOT_DECIDED


@cache
def entry() -> Entry:
    """Sixteen people, six recordings of each, who are told apart a little, and of whom nobody stands out."""
    trials, _ = shifted(np.random.default_rng(5), 16, [6] * 16, [1.0] * 16)
    found = assess(trials)
    given = as_given(trust_of(trials, found, FEW, deals=0, normalise=False))
    trust = replace(given, people=PeopleBounds(None, (), np.zeros(0)))
    return Entry("B", trials, found, Condition.OP, dataset="x", measured=trust)


def asked(figure: str, bound: float, sense: Sense = Sense.AT_MOST, **detail: object) -> Requirement:
    return Requirement("r", figure, bound, sense, detail=RequirementDetail(**detail))


def decided(project: Project, requirement: Requirement) -> Verdict:
    drawn, faults = with_bounds(project, [requirement], FEW)
    assert faults == ()
    assert not lacks_bounds(drawn, [requirement])
    (found,) = verdicts(drawn, [requirement], {})
    return found


def of_entry(requirement: Requirement) -> Verdict:
    return decided(Project(items=(entry(),)), requirement)


@pytest.mark.parametrize(
    "requirement",
    [
        asked("pi_link", 0.5, people=10),
        asked("pi_link", 0.5, people=16, recordings=3),
        asked("pi_sing", 0.5, people=5),
        asked("rank_disclosure", 0.5),
    ],
)
def test_a_row_is_met_from_its_upper_bound_on_and_not_met_below_the_lower_one(
    requirement: Requirement,
) -> None:
    (row,) = of_entry(requirement).rows
    assert row.low is not None
    assert row.high is not None
    just = 1e-9
    ends = [row.high, row.high - just, row.low, row.low - just]
    if requirement.figure == "pi_sing":  # no bound below guessing can be required
        ends = ends[:2]
    told = [of_entry(replace(requirement, bound=end)).outcome for end in ends]
    assert told == [MET, OPEN, OPEN, NOT_MET][: len(ends)]


def test_linking_is_what_it_is_among_so_many_and_its_bounds_are_of_its_own_draws() -> None:
    drawn, _ = with_bounds(Project(items=(entry(),)), [asked("pi_link", 0.5, people=10)], FEW)
    trust = drawn.entries[0].trust
    assert trust is not None
    figure = trust.bounded["pi_link:10:1"]
    trials = entry().trials
    assert trials is not None
    assert figure.draws is not None
    assert figure.draws.estimate == linkage(Candidates.of(with_people(trials)).pooled(1), 10)
    assert figure.chance == 0.1
    (row,) = of_entry(asked("pi_link", 0.5, people=10)).rows
    bounds = one_sided(figure.draws, 0.95)
    assert (row.low, row.high) == (bounds.low, bounds.high)


def test_hits_at_few_false_alarms_are_bounded_and_not_decided_where_nobody_could_see_so_few() -> None:
    """Of 1 440 nontarget trials 14 may be false alarms of one in a hundred; of one in a thousand one only."""
    (row,) = of_entry(asked("hits_at", 0.9, false_alarms=0.01)).rows
    trust = entry().trust
    assert trust is not None
    bounds = one_sided(trust.uncertainty.figures["hits_at_0_01"], 0.95)
    assert (row.outcome, row.low, row.high) == (MET, bounds.low, bounds.high)
    told = of_entry(asked("hits_at", 0.9, false_alarms=0.001))
    assert told.outcome is OPEN
    assert "at least 3\u202f000 comparisons of different people" in told.reason
    told = of_entry(asked("hits_at", 0.9, false_alarms=0.0001))
    assert told.outcome is OPEN
    assert "not measurable. At so few false alarms a bound needs at least 30\u202f000 comp" in told.reason


def test_among_more_people_than_are_enrolled_nothing_is_decided() -> None:
    for figure in ("pi_link", "pi_sing"):
        told = of_entry(asked(figure, 0.99, people=17))
        assert told.outcome is OPEN
        assert "Only 16 people are enrolled" in told.reason


def test_nobody_has_seven_recordings_to_be_pooled() -> None:
    told = of_entry(asked("pi_link", 0.99, people=5, recordings=7))
    assert told.outcome is OPEN
    assert "Fewer than two people have 7 recordings" in told.reason


def test_singling_out_counts_from_guessing_upwards() -> None:
    """Noise singles out less often than an attacker who ignores the scores, (3/4)³ of four people."""
    trials, _ = shifted(np.random.default_rng(6), 12, [2] * 12, [0.0] * 12)
    found = assess(trials)
    trust = replace(trust_of(trials, found, FEW, deals=0), people=PeopleBounds(None, (), np.zeros(0)))
    noise = Entry("B", trials, found, Condition.OP, measured=trust)
    (row,) = decided(Project(items=(noise,)), asked("pi_sing", 0.6, people=4)).rows
    drawn, _ = with_bounds(Project(items=(noise,)), [asked("pi_sing", 0.6, people=4)], FEW)
    draws = drawn.entries[0].trust.bounded["pi_sing:4:1"].draws
    assert draws.estimate < 0.75**3
    assert row.value == 0.75**3
    assert row.low == 0.75**3


def test_a_mean_of_people_is_not_met_while_it_hides_somebody() -> None:
    trials, _ = shifted(np.random.default_rng(507), 40, [5] * 40, [8.0] + [0.0] * 39)
    found = assess(trials)
    exposed = Entry("B", trials, found, Condition.OP, measured=trust_of(trials, found, FEW, deals=0))
    told = decided(Project(items=(exposed,)), asked("pi_link", 0.9, people=20))
    assert told.outcome is OPEN
    assert "a mean says nothing about this person" in told.reason


def test_nobody_is_linked_too_often_among_as_many_as_are_asked_for() -> None:
    """Of everybody is required what holds of each; among fewer people they are linked more often."""
    unknown = replace(entry(), measured=replace(entry().measured, people=None))  # type: ignore[type-var]
    project = Project(items=(unknown,))
    among_ten, among_all = (decided(project, asked("most_linked", 0.999, people=n)) for n in (10, None))
    assert among_ten.rows[0].value > among_all.rows[0].value  # type: ignore[operator]
    told = decided(project, asked("most_linked", 0.999, people=17))
    assert told.outcome is OPEN
    assert "Only 16 people are enrolled" in told.reason


@pytest.fixture(scope="module")
def dropped(tmp_path_factory: pytest.TempPathFactory) -> Project:
    folder = tmp_path_factory.mktemp("drop") / "data"
    write_drop(folder)
    [planned] = plan([folder]).assessments
    found = try_planned(planned).entry
    assert isinstance(found, Entry)
    return Project(items=(replace(found, name="B", condition=Condition.OP),))


def test_what_is_inferred_counts_above_guessing(dropped: Project) -> None:
    """Of 8 women’s and 8 men’s recordings one is told wrongly: 15/16 are right, 7/8 above guessing of two."""
    above = decided(dropped, asked("inference", 0.5, attribute="sex"))
    assert above.rows[0].value == pytest.approx(0.875)
    low, high = above.rows[0].low, above.rows[0].high
    assert low is not None
    assert high is not None
    assert above.outcome is OPEN
    assert decided(dropped, asked("inference", low - 1e-9, attribute="sex")).outcome is NOT_MET
    assert decided(dropped, asked("inference", high, attribute="sex")).outcome is MET


def test_emotions_must_still_be_told_of_those_who_speak() -> None:
    by_speaker = tuple(((10, 6 + k % 3), (10, 7 + k % 3)) for k in range(16))
    counts = tuple(tuple(sum(each[v][c] for each in by_speaker) for c in (0, 1)) for v in (0, 1))
    utility = Utility().with_emotions(Emotions(("neu", "sad"), counts, by_speaker))  # type: ignore[arg-type]
    project = Project(items=(entry(),)).with_utility(SpeechKey("x", "B"), utility)
    (row,) = decided(project, asked("uar", 0.5, Sense.AT_LEAST)).rows
    assert (row.outcome, row.value) == (MET, pytest.approx(utility.uar))
    assert row.low is not None
    assert 0.6 < row.low < 0.75
    told = [decided(project, asked("uar", row.low + step, Sense.AT_LEAST)).outcome for step in (-1e-9, 1e-9)]
    assert told == [MET, OPEN]
    assert "It is not known of this speech" in of_entry(asked("uar", 0.5, Sense.AT_LEAST)).reason


def test_of_an_attribute_that_nobody_brought_or_guessed_nothing_is_decided(dropped: Project) -> None:
    told = decided(dropped, asked("inference", 0.9, attribute="age"))
    assert told.outcome is OPEN
    assert "There is no attribute “age”. Name one of these: accent, sex." in told.reason
    told = decided(dropped, asked("inference", 0.9, attribute="accent"))
    assert "“accent” needs the guesses of exactly one recogniser; 0 were given." in told.reason
    assert (
        "No file that was read says the “sex” of these speakers"
        in of_entry(asked("inference", 0.9, attribute="sex")).reason
    )


def spoken(by_speaker: tuple[tuple[int, int], ...]) -> Project:
    errors, words = (sum(column) for column in zip(*by_speaker, strict=True))
    found = WordErrors(errors, 0, 0, words, by_speaker=by_speaker)
    return Project(items=(entry(),)).with_utility(SpeechKey("x", "B"), Utility().counted(found))


def test_word_errors_are_required_over_those_who_speak() -> None:
    project = spoken(tuple((n, 100) for n in range(1, 17)))
    (row,) = decided(project, asked("wer", 0.5)).rows
    assert row.value == pytest.approx(0.085)
    assert row.low < 0.085 < row.high  # type: ignore[operator]
    told = [
        decided(project, asked("wer", end)).outcome for end in (row.high, row.high - 1e-9, row.low - 1e-9)
    ]
    assert told == [MET, OPEN, NOT_MET]


def test_a_rate_that_was_typed_has_no_bound_over_speakers() -> None:
    typed = Project(items=(entry(),)).with_utility(SpeechKey("x", "B"), Utility.typed(0.01))
    told = decided(typed, asked("wer", 0.5))
    assert told.outcome is OPEN
    assert "it was typed in or printed" in told.reason
    assert "It is not known of this speech" in of_entry(asked("wer", 0.5)).reason
    assert "A bound needs at least" in decided(spoken(((1, 100), (2, 100))), asked("wer", 0.5)).reason


def test_two_attacks_on_one_speech_are_one_row() -> None:
    other = replace(entry(), attacker="ignorant", id="2")
    project = spoken(tuple((n, 100) for n in range(1, 17)))
    project = replace(project, items=(*project.items, other))
    assert len(decided(project, asked("wer", 0.5)).rows) == 1


def test_ratings_must_stay_above_over_those_who_speak() -> None:
    counts = tuple([0] * 6 + [8] + [24] + [0] * 2)
    ratings = Ratings(counts, counts, by_speaker=tuple((float(10 * (6 + k % 3)), 10) for k in range(16)))
    utility = Utility().heard(RatingQuestion.NATURALNESS, ratings)
    project = Project(items=(entry(),)).with_utility(SpeechKey("x", "B"), utility)
    (row,) = decided(project, asked("rating", 5.0, Sense.AT_LEAST, question="naturalness")).rows
    assert row.outcome is MET
    assert row.low is not None
    assert 6.0 < row.low < 7.0
    told = decided(project, asked("rating", row.low + 1e-9, Sense.AT_LEAST, question="naturalness"))
    assert told.outcome is OPEN


def test_word_errors_are_counted_for_each_speaker_without_names() -> None:
    said = {"a1": "one two three", "a2": "four", "b1": "five six"}
    heard = {"a1": "one two", "a2": "four", "b1": "five seven"}
    found = word_errors(said, heard, speaker_of={"a1": "a", "a2": "a", "b1": "b"})
    assert found.by_speaker == ((1, 2), (1, 4))
    assert found.as_json()["by_speaker"] == [[1, 2], [1, 4]]
    assert word_errors(said, heard, speaker_of={"a1": "a"}).by_speaker == ()


@pytest.fixture(scope="module")
def grouped(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Ten women who are recognised, and ten men who are not, with the list of who is what."""
    folder = tmp_path_factory.mktemp("groups")
    trials, who = shifted(np.random.default_rng(8), 20, [4] * 20, [4.0, 0.0] * 10)
    assert trials.enrol is not None
    assert trials.test is not None
    rows = [
        (trials.enrol.names[a], trials.test.names[b])
        for a, b in zip(trials.enrol.codes.tolist(), trials.test.codes.tolist(), strict=True)
    ]
    lines = [f"{a} {b}" for a, b in rows]
    words = ["target" if one else "nontarget" for one in trials.is_target.tolist()]
    (folder / "scores").write_text(
        "".join(f"{a} {b}\n" for a, b in zip(lines, trials.score.tolist(), strict=True))
    )
    (folder / "trials").write_text("".join(f"{a} {b}\n" for a, b in zip(lines, words, strict=True)))
    (folder / "utt2spk").write_text("".join(f"{one} {name}\n" for one, name in who.items()))
    people = sorted(set(who.values()))
    (folder / "sex").write_text("".join(f"{one} {'fm'[k % 2]}\n" for k, one in enumerate(people)))
    [planned] = plan([folder]).assessments
    found = try_planned(planned).entry
    assert isinstance(found, Entry)
    return Project(items=(replace(found, name="B", condition=Condition.OP),))


@pytest.mark.parametrize(
    ("figure", "bound", "detail"), [("d_ece", 0.3, {}), ("pi_link", 0.5, {"people": 10})]
)
def test_of_a_group_the_same_is_required_by_its_own_bounds(
    grouped: Project, figure: str, bound: float, detail: dict[str, object]
) -> None:
    women, men = (decided(grouped, asked(figure, bound, group=f"sex={value}", **detail)) for value in "fm")
    assert women.outcome is NOT_MET
    assert men.outcome is MET
    assert "among those of sex=f" in women.requirement.in_words


def test_of_a_group_that_is_not_there_nothing_is_decided(grouped: Project, dropped: Project) -> None:
    told = decided(grouped, asked("d_ece", 0.7, group="sex=x"))
    assert told.outcome is OPEN
    assert "Nobody in these trials has the value “x” of “sex”." in told.reason
    [entry] = grouped.entries
    twice = replace(grouped, items=(entry, replace(entry, id="other", name="C")))
    rows = decided(twice, asked("d_ece", 0.7, group="sex=x")).rows
    assert [row.reasons[0][:40] for row in rows] == 2 * ["Nobody in these trials has the value “x”"]
    few = decided(dropped, asked("d_ece", 0.7, group="sex=f"))
    assert few.outcome is OPEN
    assert "cannot be judged" in few.reason

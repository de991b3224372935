"""Is the comparison decided already? Sessions in ids, texts, and what the record of recordings knows."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from benchmarks.levels_of_design import called, project
from tests.core.recordings_records import record_values
from zebra_core.evidence.audit import InputFile
from zebra_core.evidence.trials import FloatArray, Ids, Trials
from zebra_core.intake.recordings_file import ScoringRecord
from zebra_core.metrics.assessment import assess
from zebra_core.project.checks.checklist import checklist, design_line
from zebra_core.project.checks.design import Design, RuleArea, design_of, rule_areas
from zebra_core.project.checks.outcome import Check, CheckLine, CheckOutcome
from zebra_core.project.gathering.gathering import designs_of, gather
from zebra_core.project.items import Condition, Entry
from zebra_core.project.project import Project
from zebra_core.report.content.opening import answer
from zebra_core.report.content.values import Frame
from zebra_core.report.document import Paragraph
from zebra_core.speakers.design import Clue, TrivialRule
from zebra_core.uncertainty.resampling import Clusters

PASSED, FAILED, CANNOT_TELL = CheckOutcome


def entry(made: Trials, condition: Condition = Condition.PP) -> Entry:
    return Entry("B1", made, assess(made), condition, dataset="libri_f")


def sessions(n_speakers: int = 20, *, targets_within: bool = False, days: int = 2) -> Entry:
    """Recordings of each speaker on so many days, two a day; every pair, or targets of one day alone."""
    names = tuple(f"{k:02d}-{d}-{n}" for k in range(n_speakers) for d in range(days) for n in range(2))
    first, second = np.triu_indices(len(names), 1)
    each = 2 * days
    is_target = first // each == second // each
    kept = ~is_target | (first // 2 == second // 2) if targets_within else np.ones(len(first), np.bool_)
    sides = [Ids(side[kept].astype(np.int32), names) for side in (first, second)]
    score = np.random.default_rng(0).normal(size=len(first))[kept]
    return entry(Trials(score, is_target[kept], *sides))


def line(*entries: Entry) -> CheckLine:
    project = Project("", entries)
    return design_line(project, designs_of(project))


def text(found: CheckLine) -> str:
    return " ".join(found.sentences())


def test_targets_of_one_day_are_decided_already_and_the_figures_are_told() -> None:
    found = line(sessions(targets_within=True))
    assert found.outcome is FAILED
    assert "targets share the session, by a part of their ids, in 100 % of trials, nontargets in 50" in text(
        found
    )
    (case,) = found.cases
    assert case.figures["session_targets"] == 1.0
    assert 0.74 < case.figures["session_area"] < 0.76  # type: ignore[operator]
    assert case.figures["session_low"] > 0.5  # type: ignore[operator]


def test_where_every_pair_is_compared_the_days_are_nobodys() -> None:
    """Targets of one speaker share the day in one pair of three, others in one of two: no target is told."""
    found = line(sessions())
    assert found.outcome is PASSED
    assert "(session)" in text(found)
    assert "Nothing is known of the rest (text, channel, length and level)" in text(found)


def test_of_nothing_known_nothing_is_passed() -> None:
    assert line(entry(sessions(days=1).trials)).outcome is CANNOT_TELL  # type: ignore[arg-type]
    without_ids = entry(Trials.from_scores([1.0, 2.0, 3.0], [0.0, 1.0, 2.0]))
    for one in (without_ids, sessions()):
        (case,) = design_line(Project("", (one,)), {}).cases
        assert (case.outcome, case.code) == (CANNOT_TELL, "design-untold")
    assert line(without_ids).outcome is CANNOT_TELL


def test_codes_in_the_place_of_ids_tell_nothing() -> None:
    """No trial compares a recording with itself then, which is no answer."""
    made = sessions(targets_within=True).trials
    assert made is not None
    assert made.enrol is not None
    assert made.test is not None
    coded = [
        Ids(ids.codes, tuple(f"{of}{k}" for k in range(len(ids.names))))
        for of, ids in (("e", made.enrol), ("t", made.test))
    ]
    (case,) = line(entry(replace(made, enrol=coded[0], test=coded[1]))).cases
    assert (case.outcome, case.code) == (CANNOT_TELL, "design-unknown")


def test_a_recording_that_is_compared_with_itself_decides() -> None:
    made = sessions().trials
    assert made is not None
    assert made.enrol is not None
    assert made.test is not None
    codes = np.where(made.is_target, made.enrol.codes, made.test.codes).astype(np.int32)
    (case,) = line(entry(replace(made, test=Ids(codes, made.test.names)))).cases
    assert (case.outcome, case.code) == (FAILED, "design-recording")


def test_one_session_for_each_speaker_is_said_to_be_no_answer() -> None:
    made = sessions(days=1).trials
    assert made is not None
    assert made.enrol is not None
    assert made.test is not None
    names = tuple(f"{name[:2]}-{1000 + int(name[:2])}-{name[-1]}" for name in made.enrol.names)
    found = line(entry(replace(made, enrol=Ids(made.enrol.codes, names), test=Ids(made.test.codes, names))))
    assert [case.code for case in found.cases] == ["design-one-session"]


def test_few_speakers_decide_nothing() -> None:
    found = line(sessions(7, targets_within=True))
    assert (found.outcome, text(found)) == (CANNOT_TELL, "libri_f · B1 PP: 7 speakers; 8 are needed.")


def test_the_same_speech_twice_is_no_second_test() -> None:
    one = sessions(targets_within=True)
    alone, twice = line(one).cases[0], line(one, replace(one, name="B2", id="other")).cases[0]
    assert alone.figures == twice.figures


def test_texts_that_targets_share_are_seen() -> None:
    one = sessions()
    assert one.trials is not None
    assert one.trials.test is not None
    texts = {name: name[:2] + name[-1] for name in one.trials.test.names}  # each says the same again
    found = design_of(one, one.trials, texts=texts)
    assert found is not None
    checked = design_line(Project("", (one,)), {one.id: found})
    assert (checked.outcome, checked.cases[0].code) == (FAILED, "design-text")


def recorded(change: str) -> tuple[Entry, Design | None]:
    """An attack of which a record knows the recordings; `change` is by speaker: louder, longer, or a text."""
    values = record_values()
    rng = np.random.default_rng(1)
    for row in values["recordings"]:
        k = int(row["speaker"][1:])
        row["text"] = k if change == "text" else int(rng.integers(40))
        for sound in (row["original"], *row["protected"].values()):
            own = {key: 3.0 * k if key == change else 0.0 for key in ("seconds", "level_dbfs")}
            sound["seconds"] = float(np.exp(rng.normal() + own["seconds"] / 3.0))
            sound["level_dbfs"] = -60.0 + own["level_dbfs"] + float(rng.normal())
    attack = values["attacks"][-1]
    people = sorted({row["speaker"] for row in values["recordings"]})
    tests = [row for row in values["recordings"] if row["side"] == "test"]
    pairs = [(k, n) for k in range(len(people)) for n in range(len(tests))]
    enrol, test = (np.array(side, np.int32) for side in zip(*pairs, strict=True))
    made = Trials(
        rng.normal(size=len(pairs)),
        np.array([tests[n]["speaker"] == people[k] for k, n in pairs]),
        Ids(enrol, tuple(people)),
        Ids(test, tuple(row["id"] for row in tests)),
    )
    scores = InputFile(Path("scores"), "scores", 1, values["files"][attack["scores"]], 1)
    known = replace(assess(made), files=(scores,))
    one = Entry("B2", made, known, Condition.PP, attacker=attack["attacker"])
    return one, design_of(one, made, record=ScoringRecord(values, "0" * 64))


def test_how_loud_and_how_long_recordings_are_and_what_they_say_is_known_from_their_record() -> None:
    for change, code in (
        ("seconds", "design-length"),
        ("level_dbfs", "design-level"),
        ("text", "design-text"),
        ("", ""),
    ):
        one, found = recorded(change)
        assert found is not None
        assert {area.clue.value for area in found.areas} >= {"length", "level", "channel", "text"}
        checked = design_line(Project("", (one,)), {one.id: found})
        assert (checked.outcome is FAILED, checked.cases[0].code) == (
            bool(code),
            code or checked.cases[0].code,
        )


def test_page_one_says_that_it_is_decided_and_nothing_where_it_is_not() -> None:
    for within in (True, False):
        material = gather(Project("", (sessions(targets_within=within),)))
        said = [block.text for block in answer(Frame.of(material, {})) if isinstance(block, Paragraph)]
        assert any("not the voice tells targets" in each for each in said) is within
        found = next(
            one for one in checklist(material.project, designs=material.designs) if one.check is Check.DESIGN
        )
        assert (found.outcome is FAILED) is within


def test_whoever_attacks_the_same_trials_finds_the_same() -> None:
    """Other scores, and other lines first, are the same design: one test, with the same draws."""
    one = sessions(targets_within=True).trials
    assert one is not None
    assert one.enrol is not None
    assert one.test is not None
    order = np.random.default_rng(3).permutation(len(one))
    sides = [Ids(side.codes[order], side.names) for side in (one.enrol, one.test)]
    other = Trials(np.arange(len(one)) * 1.0, one.is_target[order], *sides)
    first, second = (design_of(entry(each), each) for each in (one, other))
    assert first is not None
    assert second is not None
    assert [area.digest for area in first.areas] == [area.digest for area in second.areas]
    assert [area.interval(0.9) for area in first.areas] == [area.interval(0.9) for area in second.areas]


def all_pairs(n_speakers: int, each: int) -> Trials:
    names = tuple(f"s{k}-{n}" for k in range(n_speakers) for n in range(each))
    first, second = np.triu_indices(len(names), 1)
    ids = [Ids(side.astype(np.int32), names, is_ordered=True) for side in (first, second)]
    return Trials(np.arange(len(first)) * 1.0, first // each == second // each, *ids)


def area(made: Trials, value: FloatArray, clue: Clue = Clue.LENGTH) -> RuleArea:
    (found,) = rule_areas([TrivialRule(clue, value)], made.is_target, Clusters.of_trials(made))
    return found


def test_the_area_of_a_shared_clue_by_hand() -> None:
    """Three of four targets share it, one of four nontargets: 0.5 + (0.75 − 0.25)/2."""
    names = tuple("abcdwxyz")
    codes = np.arange(8, dtype=np.int32)
    is_target = codes < 4
    made = Trials(codes * 1.0, is_target, Ids(codes, names), Ids(codes, tuple(n * 2 for n in names)))
    value = np.array([1.0, 1, 1, 0, 1, 0, 0, 0])
    found = area(made, value, Clue.SESSION)
    assert (found.area, found.target, found.nontarget) == (0.75, 0.75, 0.25)


def test_the_area_of_a_distance_is_that_of_mann_and_whitney() -> None:
    rng = np.random.default_rng(0)
    made = all_pairs(5, 3)
    value = np.round(rng.normal(size=len(made)) + made.is_target, 1)
    u = mannwhitneyu(value[made.is_target], value[~made.is_target]).statistic
    assert area(made, value).area == pytest.approx(u / (made.n_target * made.n_nontarget), abs=1e-12)
    assert np.isnan(area(made, value).target)


def test_many_different_values_are_told_apart_well_enough() -> None:
    rng = np.random.default_rng(1)
    made = all_pairs(20, 5)
    value = rng.normal(size=len(made)) + made.is_target
    u = mannwhitneyu(value[made.is_target], value[~made.is_target]).statistic
    assert area(made, value).area == pytest.approx(u / (made.n_target * made.n_nontarget), abs=2e-3)


def test_a_rule_that_says_nothing_of_many_trials_is_left_out_and_a_few_do_not_matter() -> None:
    made = all_pairs(5, 4)
    value = np.where(made.is_target, 1.0, 0.0)
    value[np.flatnonzero(made.is_target)[:2]] = np.nan  # of 30
    assert area(made, value, Clue.TEXT).area == 1.0
    value[np.flatnonzero(made.is_target)[:4]] = np.nan
    assert not rule_areas([TrivialRule(Clue.TEXT, value)], made.is_target, Clusters.of_trials(made))


def test_the_interval_is_that_of_speakers_and_not_of_trials() -> None:
    """One of twenty speakers brings all that targets share: whether they are drawn decides it."""
    made = all_pairs(20, 6)
    assert made.enrol is not None
    of_one = made.is_target & (made.enrol.codes < 6)
    found = area(made, of_one * 1.0, Clue.TEXT)
    span = found.interval(0.95)
    assert found.area == pytest.approx(0.525)
    assert span is not None
    assert span.low < 0.505
    everybody = area(made, made.is_target * 1.0, Clue.TEXT).interval(0.95)
    assert everybody is not None
    assert (everybody.low > 0.8, everybody.high) == (True, 1.0)


@pytest.mark.parametrize("is_mixed", [False, True])
def test_without_any_effect_hardly_any_project_is_called_decided(is_mixed: bool) -> None:
    """At most one in twenty; of 400 projects none to five were (`benchmarks.levels_of_design`)."""
    found = [called(project(12, is_mixed=is_mixed, seed=seed), 0.6) for seed in range(40)]
    assert sum(found) <= 3

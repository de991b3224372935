"""What has changed since an earlier assessment: what it stated, beside what this one finds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from zebra_core.metrics.chance.multiple_testing import holm
from zebra_core.project.baseline import Baseline, EarlierAttack, EarlierFigure, EarlierVerdict
from zebra_core.project.items import Entry, may_be_alike
from zebra_core.project.project import Project
from zebra_core.project.requirements.figures import REQUIRABLE
from zebra_core.project.verdicts.verdict import Verdict
from zebra_core.uncertainty.difference import StatedFigure, independent_test
from zebra_core.uncertainty.intervals import Interval, with_interval
from zebra_core.wording.texts import in_sentence, say, visible_name

COMPARED = "d_ece_bits"
"""The figure that is tested: one, so that few tests are made."""
_LEVEL = 0.05


@dataclass(frozen=True)
class ChangedAttack:
    """One attack then and now."""

    entry: Entry
    then: EarlierAttack
    now: EarlierFigure
    value: float  # now − then
    p_value: float
    p_family: float = math.nan

    @property
    def is_settled(self) -> bool:
        """Whether it is more than chance."""
        return self.p_family <= _LEVEL

    @property
    def code(self) -> str:
        """`more`, `less` or `same`."""
        return "same" if not self.is_settled else "more" if self.value > 0.0 else "less"


@dataclass(frozen=True)
class Changes:
    """Everything that has changed since a baseline."""

    baseline: Baseline
    attacks: tuple[ChangedAttack, ...]
    new: tuple[Entry, ...]  # nobody attacked so then
    gone: tuple[EarlierAttack, ...]
    verdicts: tuple[tuple[EarlierVerdict, Verdict], ...]

    @property
    def leading(self) -> tuple[ChangedAttack, ...]:
        """Of each safeguard, in each dataset and condition, the attack that found most then, and most now."""
        groups: dict[tuple[object, ...], list[ChangedAttack]] = {}
        for one in self.attacks:
            groups.setdefault(one.then.of[:-1], []).append(one)
        found: list[ChangedAttack] = []
        for group in groups.values():
            then = max(group, key=lambda one: one.then.figure.value if one.then.figure else 0.0)
            now = max(group, key=lambda one: one.now.value)
            found += [then] if then is now else [then, now]
        return tuple(found)

    @property
    def front(self) -> str:
        """What has changed, in one sentence."""
        by = {
            code: dict.fromkeys(one.entry.own_name for one in self.attacks if one.code == code)
            for code in ("more", "less")
        }
        names = {code: in_sentence([visible_name(name) for name in found]) for code, found in by.items()}
        code = "-".join(code for code, found in by.items() if found) or "same"
        facts = {**names, "count": len(self.attacks), "baseline": self.baseline.in_words}
        sentence = say(f"since.front-{code if self.attacks else 'nothing'}", **facts)
        if not self.verdicts:
            return sentence
        changed = [now.requirement.name for then, now in self.verdicts if then.verdict != now.outcome.value]
        verdicts = say(
            "since.verdicts-changed" if changed else "since.verdicts-stand", names=in_sentence(changed)
        )
        return f"{sentence} {verdicts}"

    @property
    def remarks(self) -> tuple[str, ...]:
        """What must be known beside: what the figures of then rest on, how often was looked, who is drawn."""
        found, computed = self.baseline, [one.then.is_computed for one in self.attacks]
        rests = "computed" if computed and all(computed) else "some-computed" if any(computed) else "stated"
        drawn = "paired" if found.is_same_people else "apart"
        shared = max((one.then.paired.shared for one in self.attacks if one.then.paired), default=0)
        return (
            *found.told,
            say(f"since.{rests}", version=found.version),
            say(f"since.{drawn}", shared=shared),
            *([say("since.looks", count=found.looks)] if found.looks > 1 else []),
            *([say("since.new", names=_named(self.new))] if self.new else []),
            *([say("since.gone", count=len(self.gone))] if self.gone else []),
        )

    def as_json(self) -> dict[str, object]:
        """What --json prints of it."""
        return {
            "baseline": {
                "file": self.baseline.file,
                "sha256": self.baseline.sha256,
                "looks": self.baseline.looks,
            },
            "attacks": [
                {
                    "name": one.entry.full_name,
                    "then": one.then.figure.value if one.then.figure else None,
                    "now": one.now.value,
                    "change": one.value,
                    "p": one.p_family,
                    "more_than_chance": one.is_settled,
                }
                for one in self.attacks
            ],
            "new_attacks": [entry.full_name for entry in self.new],
            "verdicts": [
                {"name": then.name, "then": then.verdict, "now": now.outcome.value}
                for then, now in self.verdicts
            ],
        }


def figure_of(entry: Entry) -> EarlierFigure | None:
    """The compared figure of an assessment with its interval; None where it has none."""
    found = entry.trust.uncertainty if entry.trust else None
    draws = found.figures.get(COMPARED) if found else None
    if found is None or draws is None:
        return None
    interval = draws.interval(found.settings.level)
    return EarlierFigure(draws.corrected, interval.low, interval.high, draws.n_clusters, found.settings.level)


def attack_of(entry: Entry) -> EarlierAttack:
    """An assessment as a baseline has it."""
    of_what = entry.name, entry.dataset, entry.run, entry.condition
    by = entry.attacker, entry.recogniser, entry.back_end
    return EarlierAttack(*of_what, *by, figure=figure_of(entry), is_computed=True)


def same_attack(of: EarlierAttack, others: Sequence[EarlierAttack]) -> EarlierAttack | None:
    """The same attack among others; else the only one that differs in one recogniser not being stated."""
    same = [one for one in others if one.of == of.of]
    alike = [
        one
        for one in others
        if replace(one, recogniser=of.recogniser).of == of.of and may_be_alike(one.recogniser, of.recogniser)
    ]
    return next(iter(same or (alike if len(alike) == 1 else ())), None)


def changes(project: Project, verdicts: Sequence[Verdict]) -> Changes | None:
    """What has changed since the baseline of a project; None where it has none.

    The same attack on the same safeguard is compared, by Holm's correction over all of them; attacks that
    are new stand apart. Where nobody said that ids are the same people, both are drawn apart.
    """
    baseline = project.since
    if baseline is None:
        return None
    then = list(baseline.attacks)
    found, new = [], []
    for entry in project.entries:
        earlier, now = same_attack(attack_of(entry), then), figure_of(entry)
        if earlier is None:
            new.append(entry)
            continue
        then.remove(earlier)
        if now is not None and earlier.figure is not None:
            value, p_value = _tested(earlier, now, earlier.figure)
            found.append(ChangedAttack(entry, earlier, now, value, p_value))
    family = holm([one.p_value for one in found])
    tested = tuple(replace(one, p_family=p) for one, p in zip(found, family, strict=True))
    by_name = {one.name: one for one in baseline.verdicts}
    judged = [(by_name[each.requirement.name], each) for each in verdicts if each.requirement.name in by_name]
    return Changes(baseline, tested, tuple(new), tuple(then), tuple(judged))


def _tested(earlier: EarlierAttack, now: EarlierFigure, then: EarlierFigure) -> tuple[float, float]:
    if earlier.paired is not None:
        return earlier.paired.value, earlier.paired.p_value
    return independent_test(_stated(now), _stated(then))


def _stated(one: EarlierFigure) -> StatedFigure:
    return StatedFigure(one.value, one.low, one.high, one.speakers, one.level)


def in_words(figure: EarlierFigure) -> str:
    """The figure with its interval."""
    return with_interval(COMPARED, figure.value, Interval(figure.low, figure.high), is_in_column=True)


def verdict_in_words(one: EarlierVerdict) -> str:
    """A verdict of then, with the figure that decided it."""
    said = say(f"verdict.{one.verdict}")
    if one.value is None or one.figure not in REQUIRABLE:
        return said
    figure = REQUIRABLE[one.figure]
    if one.low is None or one.high is None:
        return say("since.verdict", verdict=said, value=figure.in_words(one.value))
    ends = {"low": figure.in_words(one.low), "high": figure.in_words(one.high)}
    return say("since.verdict-between", verdict=said, value=figure.in_words(one.value), **ends)


def _named(entries: Sequence[Entry]) -> str:
    return in_sentence([visible_name(entry.full_name) for entry in entries], 3)

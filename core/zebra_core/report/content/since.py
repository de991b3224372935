"""What has changed since an earlier assessment: a part of the comparison, a sentence on the first page."""

from __future__ import annotations

from collections.abc import Iterator

from zebra_core.project.baseline import EarlierAnswer
from zebra_core.project.conclusion.conclusion import Conclusion
from zebra_core.project.since import ChangedAttack, Changes, changes, in_words, verdict_in_words
from zebra_core.project.verdicts.verdict import Verdict
from zebra_core.report.content.frame import Frame
from zebra_core.report.content.values import shown
from zebra_core.report.document import Block, Cell, Heading, TableBlock, TableColumn, paragraph
from zebra_core.uncertainty.difference import p_in_words
from zebra_core.wording.texts import say, written


def on_first_page(frame: Frame) -> tuple[Block, ...]:
    """What has changed in one sentence; nothing where no earlier assessment was given."""
    found = changes(frame.project, frame.verdicts)
    return (paragraph(shown(found.front)),) if found else ()


def since(frame: Frame) -> tuple[Block, ...]:
    """The figures, answers and verdicts of then and now, and what must be known beside."""
    found = changes(frame.project, frame.verdicts)
    if found is None:
        return ()
    baseline = found.baseline
    facts = {"file": baseline.file, "sha256": baseline.sha256, "count": len(found.attacks)}
    columns = (
        TableColumn(say("since.column-what"), is_text=True, share=2.0),
        TableColumn(say("since.column-then"), is_text=True, share=1.0),
        TableColumn(say("since.column-now"), is_text=True, share=1.0),
        TableColumn(say("since.column-changed"), is_text=True, share=1.0),
    )
    rows = tuple(
        tuple(Cell(shown(text)) for text in row) for row in rows_of(found, frame.material.conclusions)
    )
    return (
        Heading(shown(say("since.head", baseline=baseline.in_words))),
        paragraph(shown(say("since.intro", **facts))),
        *([TableBlock(columns, rows, say("since.caption"))] if rows else []),
        paragraph(shown(" ".join(found.remarks)), quiet=True),
    )


def rows_of(found: Changes, answers: tuple[Conclusion, ...]) -> Iterator[tuple[str, str, str, str]]:
    """What is compared, what it was then, what it is now, and whether that is more than chance."""
    now = {one.safeguard: one for one in answers}
    for then in found.baseline.answers:
        if (answer := now.get(then.safeguard)) is not None and answer.naming is not None:
            yield _named(then, answer)
    yield from map(_change, found.leading)
    for before, verdict in found.verdicts:
        is_same = before.verdict == verdict.outcome.value
        changed = say("since.stands" if is_same else "since.other")
        yield verdict.requirement.name, verdict_in_words(before), _now(verdict), changed


def _change(one: ChangedAttack) -> tuple[str, str, str, str]:
    then = in_words(one.then.figure) if one.then.figure else ""
    changed = say(f"since.{one.code}", p=p_in_words(one.p_family))
    return one.entry.full_name, then, in_words(one.now), changed


def _now(verdict: Verdict) -> str:
    return ": ".join(filter(None, (verdict.in_words, verdict.bound_in_words)))


def _named(then: EarlierAnswer, answer: Conclusion) -> tuple[str, str, str, str]:
    found = answer.as_json()["named"]
    assert isinstance(found, dict)  # noqa: S101 - it names people
    what = say("since.named", safeguard=then.safeguard, people=then.people)
    if found["people"] != then.people:  # other questions
        return what, _of_100(then.named, then.low, then.high), "–", say("since.not-tested")
    now = _of_100(found["naming_rate"], found["low"], found["high"])
    return what, _of_100(then.named, then.low, then.high), now, say("since.not-tested")


def _of_100(value: float, low: float | None, high: float | None) -> str:
    said = [None if one is None else written(100.0 * one, ".0f") for one in (value, low, high)]
    return str(said[0]) if None in said else say("since.named-of", value=said[0], low=said[1], high=said[2])


def lines(found: Changes) -> str:
    """The same for a terminal: a sentence, the attacks and what must be known beside."""
    told = (
        say("since.line", name=name, then=then, now=now, changed=changed)
        for name, then, now, changed in rows_of(found, ())
    )
    head = say("since.head", baseline=found.baseline.in_words)
    return "\n".join([head, found.front, *(f"  {one}" for one in told), *found.remarks])

"""The comparison of safeguards: each against speech without protection, on the same data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zebra_core.metrics.assessment import EvidenceReading, reading_in_short
from zebra_core.project.baseline import EarlierAnswer
from zebra_core.project.comparison.comparison import baseline_of
from zebra_core.project.conclusion.conclusion import Conclusion
from zebra_core.project.group_differences import RANKED_BY, span_in_words
from zebra_core.project.items import Condition, Entry, Population, is_corrected
from zebra_core.project.since import ChangedAttack, Changes, changes, in_words, verdict_in_words
from zebra_core.project.verdicts.verdict import Verdict
from zebra_core.report.content.values import EntryGroup, Frame, shown, shown_list
from zebra_core.report.document import Block, Cell, Heading, TableBlock, TableColumn, paragraph
from zebra_core.report.pairs import Pair, group_of, has_too_few, heads, n_speakers_of, pairs_of, rests_on
from zebra_core.uncertainty.difference import FEWEST_SPEAKERS, p_in_words
from zebra_core.uncertainty.shown import as_computed, decimals, fewer, interval_of, share_of
from zebra_core.wording.texts import clauses, rounded, say, written

_MOST_PAIRS = 60
_NAMES, _AS_NUMBER = (1, 2), 4


def comparison(frame: Frame) -> tuple[Block, ...]:
    """The protected assessments of every group beside the unprotected speech they belong to.

    The least disclosing comes first. Nothing is said of what has no baseline, see `baseline_of`.
    """
    blocks: list[Block] = []
    for group in frame.groups:
        compared = [(entry, found) for entry in group.entries if (found := baseline_of(entry, frame.entries))]
        if compared:
            blocks += [Heading(group.heading)] if group.heading else []
            blocks.append(_table(frame, group, compared))
    if not blocks:
        return (*since(frame), paragraph(say("comparison-section.nothing")), *_differences(frame))
    return (
        *since(frame),
        paragraph(say("comparison-section.intro")),
        *blocks,
        paragraph(say("comparison-section.note"), quiet=True),
        *_differences(frame),
    )


def _differences(frame: Frame) -> list[Block]:
    """Which ranks are settled, and by how much each differs from each, where somebody asked."""
    blocks: list[Block] = []
    for one in frame.project.settled:
        if has_too_few(one):
            continue
        ranks = one.ranks_among(list(one.assessments))
        names = {entry_id: shown(frame.project.entry(entry_id).name_and_run) for entry_id in ranks}
        said = [f"{names[entry_id]} {span_in_words(span)}" for entry_id, span in ranks.items()]
        blocks += [
            Heading(
                say("comparison-section.differences-head", group=shown(str(group_of(frame.project, one))))
            ),
            paragraph(say("comparison-section.ranks", ranks=clauses(said))),
        ]
    return [*blocks, *_untested(frame)]


def compared_pairs(frame: Frame) -> tuple[Block, ...]:
    """By how much each safeguard differs from each, group by group, where somebody asked."""
    blocks: list[Block] = []
    for one in frame.project.settled:
        if not has_too_few(one):
            group = shown(str(group_of(frame.project, one)))
            blocks += [
                Heading(say("comparison-section.pairs-head", group=group)),
                _pairs(pairs_of(frame.project, one)),
                paragraph(" ".join([rests_on(one), *map(str, one.remarks)]), quiet=True),
            ]
    return tuple(blocks)


def _untested(frame: Frame) -> list[Block]:
    """The groups of too few speakers: a table of differences that nobody may call real would mislead."""
    groups: dict[int, list[str]] = {}
    for one in filter(has_too_few, frame.project.settled):
        groups.setdefault(n_speakers_of(one), []).append(str(group_of(frame.project, one)))
    if not groups:
        return []
    untested = [
        say(
            "comparison-section.untested",
            groups=shown_list(names, len(names)),
            count=count,
            fewest=FEWEST_SPEAKERS,
        )
        for count, names in groups.items()
    ]
    return [Heading(say("comparison-section.untested-head")), *map(paragraph, untested)]


def _pairs(pairs: Sequence[Pair]) -> TableBlock:
    """All of them, or those of the figure of the ranks where they are many."""
    if len(pairs) > _MOST_PAIRS:
        pairs = [pair for pair in pairs if pair.difference.figure == RANKED_BY]
    columns = tuple(
        TableColumn(head, is_text=number != _AS_NUMBER, share=1.0 if number in _NAMES else 0.0)
        for number, head in enumerate(heads())
    )
    rows = tuple(tuple(Cell(text) for text in pair.cells) for pair in pairs)
    return TableBlock(columns, rows, say("comparison-section.differences-caption"))


def _before_and_after(entry: Entry, baseline: Entry) -> tuple[str, str, str]:
    """D_ECE of both with the fewer decimals, and the difference of what is shown, so that the row adds up."""
    places = min(_decimals(entry), _decimals(baseline))
    bits, before = _bits(entry), _bits(baseline)
    difference = round(bits, places) - round(before, places)
    return rounded(bits, places), rounded(before, places), rounded(round(difference, places), places)


def _bits(entry: Entry) -> float:
    return Population.of(entry).by_reading_bits


def _decimals(entry: Entry) -> int:
    return decimals("d_ece_bits", fewer(entry.assessment), interval_of("d_ece_bits", entry.trust))


def _table(frame: Frame, group: EntryGroup, compared: list[tuple[Entry, Entry]]) -> TableBlock:
    is_freed = is_corrected([entry for entry, _ in compared])
    columns = (
        TableColumn(say("table.tag"), is_text=True),
        TableColumn(say("report.assessment-name"), is_text=True, share=1.0),
        TableColumn(say("table.d_ece_corrected" if is_freed else "table.d_ece")),
        TableColumn(say("comparison-section.before")),
        TableColumn(say("comparison-section.change")),
        TableColumn(say("comparison-section.remains")),
        TableColumn(say("table.worst_case")),
    )
    ranked = sorted(compared, key=lambda pair: _bits(pair[0]))
    rows = []
    for entry, baseline in ranked:
        found, result = entry.assessment, frame.result(entry, group)
        after, before, change = _before_and_after(entry, baseline)
        remains = _remains(entry, baseline)
        rows.append(
            (
                Cell(badge=result.badge),
                Cell(frame.row_name(entry, group)),
                Cell(after, reading_in_short(found)),
                Cell(before, _heard_by(baseline, frame.entries)),
                Cell(change),
                Cell(remains),
                Cell(as_computed("worst_case_log10_lr", found, entry.trust)),
            )
        )
    return TableBlock(columns, tuple(rows), say("comparison-section.caption"))


def _heard_by(baseline: Entry, entries: Sequence[Entry]) -> str:
    """Which unprotected speech it is where the dataset has several; else empty."""
    several = [one for one in entries if one.dataset == baseline.dataset and one.condition is Condition.OO]
    if len({_bits(one) for one in several}) < 2:
        return ""
    return shown(baseline.attack_in_words or baseline.name_and_run)


def _remains(entry: Entry, baseline: Entry) -> str:
    found, before = entry.assessment, _bits(baseline)
    if not before:
        return "–"
    interval = interval_of("d_ece_bits", entry.trust) if found.reading is EvidenceReading.GIVEN else None
    return share_of(before, _bits(entry), min(fewer(found), fewer(baseline.assessment)), interval)


# What has changed since an earlier assessment: a part of the comparison, a sentence on the first page.


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
        paragraph(shown(say("since.intro", file=baseline.file, sha256=baseline.sha256))),
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

"""How scores were made from recordings: recogniser, attackers, from whom back ends learnt, and warnings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from math import nan
from pathlib import Path, PurePosixPath
from typing import Any

from zebra_core.document.project_file import find_inputs
from zebra_core.errors import InputError
from zebra_core.figures.pitch import pitch_figure
from zebra_core.intake.opening.opening import Source, open_source
from zebra_core.intake.planned import YES, unpacking_answer
from zebra_core.intake.recordings_file import ENOUGH_SPEAKERS, WEAK_FROM, ScoringRecord, record_of
from zebra_core.intake.sorting.naming import NOT_AS_RECORDED
from zebra_core.project.items import Entry
from zebra_core.project.project import Project
from zebra_core.project.reading.inputs import with_findings
from zebra_core.project.satellites import record_file
from zebra_core.recordings.doubtful_copies import UNPROTECTED, Doubt, Version, doubts
from zebra_core.recordings.pairing_rules import SAME_NAME
from zebra_core.recordings.speakers import AlikeSpeakers
from zebra_core.report.content.attackers import strongest_first
from zebra_core.report.content.values import Frame, shown, shown_list
from zebra_core.report.document import (
    Block,
    Bullets,
    Cell,
    Heading,
    ReportPicture,
    Run,
    TableBlock,
    TableColumn,
    paragraph,
)
from zebra_core.runtime.progress import no_progress
from zebra_core.wording.texts import as_said, clauses, grouped, in_sentence, joined, knows, say, written

_LEFT_OUT = ("same_name", "without_copy", "unknown_speaker", "not_heard", "equal", "speakers")
UNUSED = ("not-sound", "unread", "closed")
"""Why a file is not even a recording that could be paired."""
_NO_FAULTS = (*UNUSED, "same-name", "unknown-speaker", "equal")
_SHORT_S = 1.0
_DIGITS = 16  # of a hash; all of it is in the evidence


def from_recordings(frame: Frame) -> tuple[Block, ...]:
    """One part for each record; nothing where scores came without one."""
    found: list[Block] = []
    for record, entries in records(frame):
        found += _of_record(frame, record, entries)
    for entry in frame.entries:
        if (why := frame.material.records.missing.get(entry.id)) is not None:
            name = frame.names[entry.id]
            found.append(paragraph(say("scored.not-readable", name=name, reason=shown(str(why)))))
    return (Heading(say("scored.head")), *found) if found else ()


def limits_of_recordings(frame: Frame) -> Iterator[str]:
    """What scores do not show that were made from recordings."""
    of_all = records(frame)
    yield say("limitation.stronger-recogniser")
    yield say("limitation.network")
    counts = [
        count for record, entries in of_all if (count := _fewest(_attacks(record, entries))) is not None
    ]
    if counts and min(counts) < ENOUGH_SPEAKERS:
        yield say("limitation.few-speakers", count=min(counts), enough=ENOUGH_SPEAKERS)


def scores_again(frame: Frame) -> tuple[Block, ...]:
    """How to go back to recordings, how equal scores are that are made again, and which copy was whose."""
    from zebra_core.recordings.verification import TOLERANCE_COSINE, TOLERANCE_LEARNT

    allowed = {"cosine": written(TOLERANCE_COSINE, ".4f"), "learnt": written(TOLERANCE_LEARNT, ".3f")}
    pairs = (block for record, _ in records(frame) for block in pairs_of(record.values))
    return (paragraph(say("appendix.recompute-scores", **allowed)), *pairs)


def records(frame: Frame) -> list[tuple[ScoringRecord, list[Entry]]]:
    """Each record with its assessments, in the order of the project."""
    found: dict[str, tuple[ScoringRecord, list[Entry]]] = {}
    for entry in frame.entries:
        if (record := frame.material.records.get(entry.id)) is not None:
            found.setdefault(record.sha256, (record, []))[1].append(entry)
    return list(found.values())


def _of_record(frame: Frame, record: ScoringRecord, entries: Sequence[Entry]) -> list[Block]:
    values = record.values
    rows, training = values["recordings"], values["training"]
    file = record_file(entries[0])
    assert file is not None  # noqa: S101 - it is where the record was read
    sentences = [
        say(
            "scored.files",
            file=shown(file.name),
            version=shown(values["zebra"]),
            count=len(rows),
            speakers=grouped(len({row["speaker"] for row in rows})),
            minutes=written(sum(row["original"]["seconds"] for row in rows) / 60, ".1f"),
        ),
        *rules_of_pairs(values),
        say("scored.coded") if values["is_coded"] else "",
    ]
    heard = values["recogniser"]
    facts = {"name": shown(heard["name"]), "licence": shown(as_said(heard["licence"], "recordings"))}
    facts["sha256"] = heard["sha256"][:_DIGITS]
    attacks = _attacks(record, entries)
    return [
        paragraph(" ".join(filter(None, sentences))),
        *(() if frame.has_appendix else pairs_of(values)),
        *_unpaired(values),
        paragraph(say("scored.recogniser", **facts, eer=written(100 * heard["eer"], ".1f"))),
        *_takes(heard),
        paragraph(" ".join(_on_trials(values))),
        *_on_alike(values),
        paragraph(_on_learning(values, training)),
        *_on_others(values),
        *_table(frame, record, entries),
        *_pitch(record, entries),
        *_warnings(record, attacks, is_whole=len(attacks) == len(entries)),
        paragraph(
            say(
                "scored.libraries",
                versions=joined(
                    [
                        say("report.version", name=shown(name), version=shown(version))
                        for name, version in values["libraries"].items()
                    ]
                ),
            ),
            quiet=True,
        ),
    ]


def _takes(heard: Mapping[str, Any]) -> Iterator[Block]:
    """What goes into a recogniser of the user's own, where a file beside it said so."""
    if "takes" in heard:
        takes = ", ".join(shown(f"{name} {value}") for name, value in heard["takes"].items())
        yield paragraph(say("recordings.model-takes", takes=takes))


def _on_alike(values: Mapping[str, Any]) -> Iterator[Block]:
    """Speakers who sound alike in the originals, and who count as one person."""
    if pairs := values.get("sound_alike"):
        by = values.get("sound_alike_by") or [None] * len(pairs)
        names = joined([_alike_pair(pair, one) for pair, one in zip(pairs, by, strict=True)])
        yield paragraph(say("recordings.sound-alike", count=len(pairs), names=names))
    for pair in values.get("one_person", ()):
        yield paragraph(say("recordings.one-person", names=in_sentence([*map(shown, pair)])))


def _alike_pair(names: Sequence[str], by: Sequence[float] | None) -> str:
    """Two speakers, and how alike they are, as far as the record says it."""
    if by is None:
        return in_sentence([*map(shown, names)])
    return AlikeSpeakers((names[0], names[1]), by[0], (by[1], by[2])).in_words


def _on_trials(values: Mapping[str, Any]) -> Iterator[str]:
    by = values["speakers_by"]
    if by["rule"]:
        yield say("scored.by-rule", rule=by["rule"])
    else:
        facts = {"file": shown(by["file"] or ""), "sha256": (by["sha256"] or "")[:_DIGITS]}
        column = shown(by.get("column", ""))
        yield say("scored.by-column" if column else "scored.by-file", column=column, **facts)
    yield say(f"scored.trials-{values['trials']}", count=values["enrol"])
    if values["same_sex"]:
        yield say("scored.same-sex")
    if values["channel"]:
        yield say("scored.channel", number=values["channel"])
    for safeguard, words in values.get("words_by", {}).items():
        facts = {"safeguard": shown(safeguard), "sha256": words["sha256"][:_DIGITS]}
        yield say("scored.understood", count=words["recordings"], **facts)


def _on_learning(values: Mapping[str, Any], training: Sequence[Mapping[str, Any]]) -> str:
    if training:
        speakers = grouped(len({row["speaker"] for row in training}))
        return say("scored.learnt-from-others", count=len(training), speakers=speakers)
    if values["folds"]:
        return say("scored.learnt-in-folds", folds=values["folds"])
    is_learnt = any(one["taught_by_speakers"] is not None for one in values["attacks"])
    return say("scored.learnt-in-folds-coded" if is_learnt else "scored.nothing-learnt")


def _on_others(values: Mapping[str, Any]) -> Iterator[Block]:
    """What is compared that is no embedding."""
    kinds = {one["back_end"] for one in values["attacks"]}
    kinds |= {part["back_end"] for one in values["attacks"] for part in one.get("together", ())}
    told = [
        say(f"scored.by-{kind}") for kind in ("normalised", "gaussian", "ngrams", "fused") if kind in kinds
    ]
    if told:
        yield Bullets(tuple((Run(text),) for text in told))


def _table(frame: Frame, record: ScoringRecord, entries: Sequence[Entry]) -> Iterator[Block]:
    columns = (
        TableColumn(say("report.assessment-name"), is_text=True, share=1.0),
        TableColumn(say("table.condition"), is_text=True),
        TableColumn(say("scored.attacker"), is_text=True, share=1.0),
        TableColumn(say("scored.back-end"), is_text=True, share=1.0),
        TableColumn(say("scored.learnt-from")),
        TableColumn(say("scored.shrinkage")),
    )
    rows = []
    for entry in strongest_first(entries):
        attack = attack_of(entry, record)
        cells = [frame.short_name(entry), entry.condition.value if entry.condition else "–"]
        cells += _on_attack(attack) if attack else [say("scored.not-as-recorded"), "–", "–", "–"]
        rows.append(tuple(Cell(text) for text in cells))
    yield TableBlock(columns, tuple(rows), say("scored.caption"))


def _pitch(record: ScoringRecord, entries: Sequence[Entry]) -> Iterator[Block]:
    """How high voices are before and after protection, where pitch was compared: a picture a safeguard."""
    rows = record.values["recordings"]
    pitched = {one["safeguard"] for one in record.values["attacks"] if one["back_end"] == "gaussian"}
    for number, safeguard in enumerate(name for name in _safeguards(record.values) if name in pitched):
        pairs = [(row["original"]["pitch_hz"], row["protected"][safeguard]["pitch_hz"]) for row in rows]
        known = [(one, other) for one, other in pairs if one and other]
        if known:
            name = shown(safeguard)
            figure = replace(pitch_figure(known, name), title="")
            caption = say("scored.pitch-picture", safeguard=name, count=len(known), all=len(pairs))
            yield ReportPicture(f"pitch-{record.sha256[:8]}-{number}", figure, caption, "", entries[0].id)


def _on_attack(attack: Mapping[str, Any]) -> list[str]:
    shrinkages = [written(each, "g") for each in attack["shrinkages"]]
    return [
        say(f"scored.attacker-{attack['attacker']}"),
        say(f"recordings.back-end-{attack['back_end']}"),
        "–" if attack["taught_by_speakers"] is None else grouped(attack["taught_by_speakers"]),
        clauses(shrinkages) or "–",
    ]


def _attacks(record: ScoringRecord, entries: Sequence[Entry]) -> list[Mapping[str, Any]]:
    return [attack for entry in entries if (attack := attack_of(entry, record)) is not None]


def _fewest(attacks: Sequence[Mapping[str, Any]]) -> int | None:
    """The fewest speakers that a back end has learnt from; None where none has learnt."""
    counts = (one["taught_by_speakers"] for one in attacks)
    return min((count for count in counts if count is not None), default=None)


def _files(values: Mapping[str, Any], why: str) -> Iterator[str]:
    """Which files were left out for a reason, as far as the record says so."""
    all_of_them = values.get("left_out_files", [])
    if why == "not_heard":
        faults = [one for one in all_of_them if one["why"] not in _NO_FAULTS]
        yield from map(_fault, faults[:MOST_NAMES])
        if (more := len(faults) - MOST_NAMES) > 0:
            yield say("scored.faults-more", count=more)
    elif found := [one["file"] for one in all_of_them if one["why"] == why.replace("_", "-")]:
        yield say("scored.left-out-files", count=len(found), names=shown_list(found, MOST_NAMES))


def _fault(lost: Mapping[str, Any]) -> str:
    """The place of a version, and why it cannot be heard."""
    version = f"{lost['safeguard']} › {lost['file']}" if lost["safeguard"] else lost["file"]
    code = f"recordings.row-{lost['why']}"
    is_told = lost["why"].startswith("sound-") and knows(code)
    return say(code if is_told else "recordings.row-unusable", version=version)


def _warnings(
    record: ScoringRecord, attacks: Sequence[Mapping[str, Any]], *, is_whole: bool
) -> Iterator[Block]:
    values = record.values
    sentences = [] if is_whole else [say("scored.some-not-as-recorded")]
    eer, fewest = values["recogniser"]["eer"], _fewest(attacks)
    if eer > WEAK_FROM:
        facts = {"eer": written(100 * eer, ".0f"), "bound": written(100 * WEAK_FROM, ".0f")}
        sentences.append(say("recordings.weak-recogniser", **facts))
    if fewest is not None and fewest < ENOUGH_SPEAKERS:
        sentences.append(say("recordings.few-speakers", count=fewest, enough=ENOUGH_SPEAKERS))
    short = sum(row["original"]["speech_seconds"] < _SHORT_S for row in values["recordings"])
    clipped = sum(row["original"]["clipped"] for row in values["recordings"])
    sentences += [say(f"scored.{what}", count=n) for what, n in (("short", short), ("clipped", clipped)) if n]
    sentences += [
        " ".join([say(f"scored.left-out-{why.replace('_', '-')}", count=count), *_files(values, why)])
        for why in _LEFT_OUT
        if (count := values["left_out"].get(why, 0))
    ]
    if sentences:
        yield Bullets(tuple((Run(text),) for text in sentences))


_MOST_ROWS = 200
MOST_NAMES = 40
"""Of a list."""
_EXAMPLES, _MOST_FIRST = 3, 4
_VOICES = {
    "others-original": "others-voices",
    "hardly-changed": "voices-hardly-changed",
    "all-unchanged": "voices-unchanged",
}
_WITHOUT_PARTNER = ("missing", "ambiguous", "extra", "named_otherwise", "repeated")


def rules_of_pairs(values: Mapping[str, Any]) -> Iterator[str]:
    """How the copies of each safeguard were paired with originals, in sentences."""
    safeguards, known = _safeguards(values), values.get("pairs_by", {})
    by_name = [name for name in safeguards if _is_plain(known.get(name, {}))]
    if by_name:
        yield say("scored.copies", names=in_sentence([shown(one) for one in by_name]))
    yield from (_rule(name, known[name]) for name in safeguards if name not in by_name)


def pairs_of(values: Mapping[str, Any]) -> Iterator[Block]:
    """The pairs whose names differ, as a table."""
    rows, safeguards = values["recordings"], _safeguards(values)
    differing = [
        row for row in rows if any(_differ(row["original"], one) for one in row["protected"].values())
    ]
    if differing and not values["is_coded"]:
        columns = tuple(
            TableColumn(head, is_text=True, share=1.0)
            for head in (say("scored.original"), *(shown(name) for name in safeguards))
        )
        cells = (
            (row["original"], *(row["protected"][name] for name in safeguards))
            for row in islice(differing, _MOST_ROWS)
        )
        table = tuple(tuple(Cell(shown(one["file"])) for one in files) for files in cells)
        yield TableBlock(columns, table, say("scored.pairs-caption"))
        if (more := len(differing) - _MOST_ROWS) > 0:
            yield paragraph(say("scored.pairs-more", count=more))


def _unpaired(values: Mapping[str, Any]) -> Iterator[Block]:
    """What has no partner, what was no sound, and what speaks against copies."""
    if told := [*_without_partner(values), *_unused(values), *_doubts(values)]:
        yield Bullets(tuple((Run(text),) for text in told))


def _safeguards(values: Mapping[str, Any]) -> list[str]:
    """Those that every recording has a copy under."""
    first, *others = (row["protected"] for row in values["recordings"])
    return [name for name in first if all(name in copies for copies in others)]


def _is_plain(by: Mapping[str, Any]) -> bool:
    """Whether copies are called like originals; before there were rules they always were."""
    return not by or by["rule"] == str(SAME_NAME)


def _rule(safeguard: str, by: Mapping[str, Any]) -> str:
    name = shown(safeguard)
    if by["rule"]:
        return say("scored.pairs-rule", safeguard=name, rule=shown(by["rule"]))
    if not by["file"]:
        return say("scored.pairs-unstated", safeguard=name)
    return say(
        "scored.pairs-table", safeguard=name, file=shown(by["file"]), sha256=(by["sha256"] or "")[:_DIGITS]
    )


def _differ(original: Mapping[str, Any], copy: Mapping[str, Any]) -> bool:
    """Whether two files are named differently, whatever their folders and endings."""
    return PurePosixPath(original["file"]).stem != PurePosixPath(copy["file"]).stem


def _without_partner(values: Mapping[str, Any]) -> Iterator[str]:
    for safeguard, by in values.get("pairs_by", {}).items():
        for kind in _WITHOUT_PARTNER:
            if names := by.get(kind):
                facts = {"count": len(names), "names": shown_list(names, MOST_NAMES)}
                yield say(f"scored.pairs-{kind.replace('_', '-')}", safeguard=shown(safeguard), **facts)
        for copy, used in by.get("twice", ()):
            yield say("scored.pairs-twice", safeguard=shown(safeguard), copy=shown(copy), used=shown(used))


def _unused(values: Mapping[str, Any]) -> Iterator[str]:
    """Files that are called like sound, sound that is not read, and folders that cannot be opened."""
    found: dict[tuple[str, str], list[str]] = {}
    for one in values.get("left_out_files", []):
        if one["why"] in UNUSED:
            found.setdefault((one["why"], one["safeguard"]), []).append(one["file"])
    for (why, safeguard), names in found.items():
        folder = shown(safeguard) if safeguard else say("scored.originals")
        yield say(f"scored.{why}", count=len(names), folder=folder, names=shown_list(names, MOST_NAMES))


def _doubts(values: Mapping[str, Any]) -> Iterator[str]:
    """What the record says of copies that speaks against them."""
    rows = {row["id"]: row for row in values["recordings"]}
    for one in _found_doubts(values):
        some = [rows[name] for name in one.names[:_EXAMPLES]]
        examples = [f"{row['original']['file']} ↔ {row['protected'][one.safeguard]['file']}" for row in some]
        facts = {"safeguard": shown(one.safeguard), "examples": shown_list(examples), **one.facts}
        names = shown_list(one.names, MOST_NAMES)
        yield say(f"recordings.{one.code}", count=len(one.names), names=names, **facts)


def _found_doubts(values: Mapping[str, Any]) -> Iterator[Doubt]:
    rows = {row["id"]: row for row in values["recordings"]}
    protected = {
        safeguard: {name: _version(row["protected"][safeguard]) for name, row in rows.items()}
        for safeguard in _safeguards(values)
    }
    originals = {name: _version(row["original"]) for name, row in rows.items()}
    return doubts(originals, protected, values.get("likeness_of_one_person", (nan, nan)))


def real_voices(frame: Frame) -> Iterator[str]:
    """Copies that are real voices, for the first page: which, under which safeguard."""
    for record, _entries in records(frame):
        for one in _found_doubts(record.values):
            if one.code in UNPROTECTED:
                code = _VOICES.get(one.code, "real-voices")
                facts = {"safeguard": shown(one.safeguard), "names": shown_list(one.names, _MOST_FIRST)}
                yield say(f"recordings.{code}", count=len(one.names), **facts)


def _version(file: Mapping[str, Any]) -> Version:
    return Version(
        file["sha256"],
        file["seconds"],
        file["speech_seconds"],
        file["pitch_hz"],
        file.get("level_dbfs"),
        file["clipped"],
        file.get("likeness", nan),
    )


# The record of the recordings that an assessment's scores were made from, read again when it is needed.


def read_record(entry: Entry) -> ScoringRecord:
    """What the record of an assessment says. Raises InputError where it has gone or changed."""
    file = record_file(entry)
    assert file is not None  # noqa: S101 - only asked where there is one
    may = unpacking_answer(file.path, entry.choices) == YES
    opened = open_source(Source(file.path, file.member, may))
    if opened.sha256 != file.sha256:
        raise InputError("changed", file=opened.name)
    return record_of(opened.content, opened.name)


def record_of_project(path: Path, project: Project, keep_in: Path) -> ScoringRecord | None:
    """How the scores in a project file were made from recordings; None where they were not.

    What is inside the file is kept in a folder. Raises InputError where the record is nowhere.
    """
    if not any(record_file(entry) for entry in project.entries):
        return None
    found, _ = find_inputs(project, path, (), keep_in, no_progress)
    return read_record(next(one for one in with_findings(project, found).entries if record_file(one)))


def attack_of(entry: Entry, record: ScoringRecord) -> Mapping[str, Any] | None:
    """The attack that made these scores; None where the record does not speak of them.

    By their hash; of scores in an archive, whose own hash nobody has kept, by their place, unless it was
    found then that they are others.
    """
    scores = entry.files[0]
    if (found := record.attack_of(scores.sha256, entry.attacker)) is not None or not scores.member:
        return found
    findings = entry.audit.findings if entry.audit else ()
    if any(one.code == NOT_AS_RECORDED for one in findings):
        return None
    parts = PurePosixPath(scores.member).parts
    attacks = record.values["attacks"]
    return next((one for one in attacks if _ends_with(parts, PurePosixPath(one["scores"]).parts)), None)


def _ends_with(parts: tuple[str, ...], end: tuple[str, ...]) -> bool:
    return parts[-len(end) :] == end

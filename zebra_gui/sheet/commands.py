"""What would do on the command line what the sheet does."""

from __future__ import annotations

from zebra_core.intake.planned import FoundFile, PlannedAssessment, PlannedSimilarity
from zebra_core.intake.tables.table import FileRole
from zebra_core.project.attack_words import AttackWords
from zebra_core.project.items import Entry, Item
from zebra_core.project.reading.reading import Attempt

_READ_ONE_WAY = frozenset({FileRole.TRANSCRIPT, FileRole.SPEAKERS})
_Given = list[tuple[str, FoundFile | str]]  # options and their values


def command_of(one: Attempt[Item], attack: AttackWords) -> list[str]:
    """The words of the command; none where it takes other files than one can name, or parts of files."""
    if isinstance(one.planned, PlannedSimilarity):
        command, given = "similarity", _of_matrices(one.planned)
    else:
        command, given = "assess", _of_trials(one.planned)
    files = [file for _, file in given if isinstance(file, FoundFile)]
    paths = [str(file.source.path) for file in files]
    is_plain = all(path.isprintable() and "=" not in path for path in paths)
    if (
        {file.source.place for file in one.planned.files} != {file.source.place for file in files}
        or any(file.source.member for file in files)
        or not is_plain
    ):
        return []
    made = ["zebra", command]
    for option, value in given:
        made += [option, str(value.source.path) if isinstance(value, FoundFile) else value]
    for file, path in zip(files, paths, strict=True):
        if file.role not in _READ_ONE_WAY:
            made += ["--read", f"{path}={file.reading.choice}"]
    for decision in sorted(each.value for each in one.allow):
        made += ["--allow", decision]
    return [*made, *_named(one, attack)]


def _of_trials(planned: PlannedAssessment) -> _Given:
    key: _Given = [("-k", planned.key)] if planned.key else []
    if not planned.is_by_words:
        return [("-s", planned.scores), *key]
    speakers = planned.speakers or (planned.rule.value if planned.rule else None)
    sides: _Given = [("--transcripts", side) for side in (planned.enrolled, planned.scores) if side]
    return [*sides, *key, *([("--speakers", speakers)] if speakers else [])]


def _of_matrices(planned: PlannedSimilarity) -> _Given:
    sides: _Given = [(f"--{setting}", file) for setting, file in planned.settings.items()]
    if isinstance(planned.speakers, FoundFile):
        return [*sides, ("--utt2spk", planned.speakers)]
    return [*sides, ("--speakers", planned.speakers.value)]


def _named(one: Attempt[Item], attack: AttackWords) -> list[str]:
    """What it is called, and by whom it was attacked."""
    if not isinstance(one.entry, Entry):
        return ["-l", one.planned.name]
    said = attack.said_of(one.entry).entries[0]
    words = {"-l": said.name}
    words |= {f"--{name.replace('_', '-')}": text for name, text in said.attacked_by.items()}
    return [part for option, text in words.items() if text for part in (option, text)]

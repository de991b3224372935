"""Reading the comparisons of an item again, to study their speakers: of an assessment or of matrices."""

from __future__ import annotations

from collections.abc import Mapping

from zebra_core.errors import InputError
from zebra_core.evidence.speaker_counts import SpeakerCounts
from zebra_core.evidence.speaker_trials import NOBODY_KNOWN, SpeakerTrials
from zebra_core.evidence.trials import Trials
from zebra_core.intake.formats.recognising import recognise
from zebra_core.intake.opening.opening import Source, open_source
from zebra_core.intake.planned import YES, unpacking_answer
from zebra_core.intake.tables.table import FileRole, SpeakerMap
from zebra_core.metrics.scales import PAPER_SCALE, TagScale
from zebra_core.project.items import Entry, Item
from zebra_core.project.reading.reading import counts_of, evidence_of, is_counted, trials_of
from zebra_core.project.satellites import satellite_of
from zebra_core.runtime.cache import LastUsed
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.speakers.candidates import with_people
from zebra_core.speakers.disclosure import SpeakerDisclosures
from zebra_core.speakers.study import SpeakerStudy
from zebra_core.speakers.zoo import ZooScale

_known = LastUsed[SpeakerDisclosures](256)


def study_of(
    item: Item,
    setting: str | None = None,
    *,
    tag_scale: TagScale = PAPER_SCALE,
    on_progress: Progress = no_progress,
) -> SpeakerStudy:
    """Study an assessment, or one setting ("oo", "op" or "pp") of similarity matrices.

    Trials that are not in memory are read again from their files; those that were only counted are counted
    again, for each pair of speakers. Disclosures, the most exposed, zoo and ranks are made. Raises
    InputError as `reading.trials_of` and `SpeakerTrials.of_trials` do.
    """
    sessions = next((entry.sessions for entry in item.entries), None)
    study = SpeakerStudy.of(_comparisons(item, setting, part_of(on_progress, 0.0, 0.7)), tag_scale, sessions)
    on_progress(0.8)
    _ = study.most_exposed
    on_progress(0.85)
    study.tests(ZooScale.LLR, part_of(on_progress, 0.85, 0.9))
    study.tests(ZooScale.SCORE, part_of(on_progress, 0.9, 0.95))
    _ = study.mean_ranks
    on_progress(1.0)
    return study


def _comparisons(item: Item, setting: str | None, on_progress: Progress) -> SpeakerTrials | SpeakerCounts:
    """The trials of an assessment, or those of one setting of matrices."""
    for entry in item.entries:
        return named_trials_of(entry, on_progress)
    for matrices in item.similarities:
        if setting in matrices.settings:
            return evidence_of(matrices, on_progress).trials(setting, matrices.similarity.speakers)
    raise InputError("no-such-setting", name=item.full_name, setting=(setting or "").upper())


def named_trials_of(
    entry: Entry, on_progress: Progress = no_progress, trials: Trials | SpeakerCounts | None = None
) -> SpeakerTrials | SpeakerCounts:
    """The trials of an assessment between its speakers, or their counts; raises as above.

    They are read again unless they are given.
    """
    if trials is None:
        is_few = not is_counted(entry)
        trials = trials_of(entry, on_progress) if is_few else counts_of(entry, on_progress, with_ranks=True)
    if isinstance(trials, SpeakerCounts):
        return trials
    return SpeakerTrials.of_trials(trials, speakers_of_entry(entry))


def disclosures_of(entry: Entry, trials: Trials, tag_scale: TagScale = PAPER_SCALE) -> SpeakerDisclosures:
    """What every speaker of an assessment discloses, from its trials.

    What the same scores of the same speakers came to is known as long as the program runs. Raises InputError
    as `SpeakerTrials.of_trials` does, and where nobody has trials of both classes.
    """
    named, sessions = SpeakerTrials.of_trials(trials, speakers_of_entry(entry)), entry.sessions
    named = named if sessions is None else named.in_sessions(sessions)
    found = _known.of((named.digest, tag_scale), lambda: SpeakerStudy.of(named, tag_scale).disclosures)
    if not len(found):
        raise InputError("speakers-unknown")
    return found


def speakers_of_entry(entry: Entry) -> dict[str, str] | None:
    """The map of speakers among the files of an assessment. Raises InputError where it has changed."""
    if (satellite := satellite_of(entry.files)) is not None:
        return satellite.speakers(entry)
    for file in entry.files:
        if file.role == FileRole.SPEAKERS.value:
            may = unpacking_answer(file.path, entry.choices) == YES
            opened = open_source(Source(file.path, file.member, may))
            if opened.sha256 != file.sha256:
                raise InputError("changed", file=file.name)
            found = recognise(opened).read()
            if isinstance(found, SpeakerMap) and not found.is_gender:
                return dict(found.of)
    return None


def spoken_by(named: SpeakerTrials, speakers: Mapping[str, str] | None) -> dict[str, str]:
    """Who speaks in each recording, as far as the map or the trials say."""
    known = dict(speakers or {})
    for code, name in enumerate(named.test.names):
        who = named.speaker_of_test[code]
        if who != NOBODY_KNOWN:
            known.setdefault(name, named.speakers[int(who)])
    return known


def speakers_of_recordings(entry: Entry) -> dict[str, str]:
    """Who speaks in each recording of an assessment, as far as its map or the trials in memory say."""
    try:
        speakers = speakers_of_entry(entry)
        if entry.trials is None:
            return speakers or {}
        return spoken_by(with_people(entry.trials, speakers), speakers)
    except InputError:  # what the utterances come to is then known without their speakers
        return {}

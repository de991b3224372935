"""The pictures of learnt calibration: on another run of a safeguard, and on other speakers of one run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from zebra_core.figures.all_pictures import AvailablePicture
from zebra_core.figures.figure import Figure
from zebra_core.figures.learnt_calibration import cross_validation_figure, learnt_calibration_figure
from zebra_core.metrics.learnt_calibration import attack
from zebra_core.project.comparison import other_run
from zebra_core.project.items import Entry, name_with_dataset
from zebra_core.project.reading import trials_of
from zebra_core.runtime.progress import Progress, part_of
from zebra_core.speakers.folds import cross_validate


def learnt_on_other_run(entries: Sequence[Entry]) -> Iterator[AvailablePicture]:
    """For every entry that has another run: learnt there, judged here; both classes weigh the same."""
    for test in entries:
        if (train := other_run(test, entries)) is not None:
            name = name_with_dataset(test)
            yield AvailablePicture(f"LEARNT-{name}", (train, test), partial(_of_runs, train, test))


def learnt_on_other_speakers(entry: Entry, on_progress: Progress) -> AvailablePicture:
    """Learnt on some speakers of an entry, judged on others; its trials are read again. Raises InputError."""
    trials = trials_of(entry, part_of(on_progress, 0.0, 0.5))
    priors = entry.assessment.profile.prior_log_odds
    found = cross_validate(trials, priors, on_progress=part_of(on_progress, 0.5, 1.0))
    draw = partial(cross_validation_figure, entry, found)
    return AvailablePicture(f"FOLDS-{name_with_dataset(entry)}", (entry,), draw)


def _of_runs(train: Entry, test: Entry) -> Figure:
    counts = train.assessment.counts, test.assessment.counts
    return learnt_calibration_figure(train, test, attack(*counts, test.assessment.profile.prior_log_odds))

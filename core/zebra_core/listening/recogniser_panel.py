"""A recogniser on the very same pairs that listeners heard, from the very same recordings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from zebra_core.errors import InputError
from zebra_core.listening.items import UNPROTECTED, ItemTask, Stimulus
from zebra_core.listening.package import SUFFIX, Package, read_package
from zebra_core.listening.plan import ListeningPlan, as_heard, names_of
from zebra_core.listening.scores import RECOGNISER, Panel
from zebra_core.listening.sounds import samples_of
from zebra_core.recordings import libraries
from zebra_core.recordings.filter_banks import RATE_HZ
from zebra_core.recordings.recogniser import Embedding, Recogniser, shipped
from zebra_core.recordings.sound import at_rate
from zebra_core.runtime.progress import Progress, no_progress


def machine_panels(
    plan: ListeningPlan, folder: Path, panels: Sequence[Panel], on_progress: Progress = no_progress
) -> tuple[list[Panel], tuple[str, ...]]:
    """Panels answered by a recogniser, by cosines of embeddings, and the listeners whose files it used.

    The recordings are those in the listeners' files, which must lie in the folder as they were made. Raises
    InputError where one is needed that is gone or was changed, or where the libraries are not installed.
    """
    libraries.require_all()
    wanted = {one for panel in panels for pair in panel.pairs for one in _stimuli(plan, panel, pair)}
    heard, codes = _heard(plan, folder, wanted, shipped(), on_progress)
    found = []
    for panel in panels:
        sides = [_stimuli(plan, panel, pair) for pair in panel.pairs]
        cosine = [float(np.dot(heard[a].astype(np.float64), heard[b].astype(np.float64))) for a, b in sides]
        found.append(replace(panel, said=np.array(cosine)[:, np.newaxis], listeners=RECOGNISER))
    return found, codes


def _stimuli(plan: ListeningPlan, panel: Panel, pair: tuple[str, str]) -> tuple[Stimulus, Stimulus]:
    both = panel.question is ItemTask.PLACEMENT or plan.enrol_protected
    return Stimulus(pair[0], panel.safeguard if both else UNPROTECTED), Stimulus(pair[1], panel.safeguard)


def _heard(
    plan: ListeningPlan, folder: Path, wanted: set[Stimulus], recogniser: Recogniser, on_progress: Progress
) -> tuple[dict[Stimulus, Embedding], tuple[str, ...]]:
    """What is heard in each recording, once, from the first file that has it; and the listeners of these."""
    found: dict[Stimulus, Embedding] = {}
    codes = []
    for listener in plan.listeners:
        names = names_of(listener.items)
        items = [item for item in listener.items if (set(item.stimuli) & wanted) - set(found)]
        if not items:
            continue
        codes.append(listener.code)
        path = folder / f"{listener.code}{SUFFIX}"
        package = _package(path, listener.package_sha256)
        for item in items:
            sounds = samples_of(path, package, as_heard(item, names))
            for one, (samples, rate_hz) in zip(item.stimuli, sounds, strict=True):
                if one in wanted and one not in found:
                    on_progress(len(found) / len(wanted))
                    found[one] = recogniser.embedding(at_rate(samples, rate_hz, RATE_HZ), one.recording)
    return found, tuple(codes)


def _package(path: Path, sha256: str) -> Package:
    try:
        package = read_package(path)
    except InputError as error:
        raise InputError("listening-recordings-gone", file=path.name, reason=str(error)) from error
    if package.sha256 != sha256:
        raise InputError("listening-other-package-here", file=path.name)
    return package

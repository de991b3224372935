"""Disclosure speaker by speaker as a table for computing."""

from __future__ import annotations

import csv
import io

from zebra_core.speakers.study import SpeakerStudy
from zebra_core.wording.texts import harmless_cell

COLUMNS = (
    "speaker",
    "d_ece_bits",
    "estimate_bits",
    "low_bits",
    "high_bits",
    "worst_case_log10_lr",
    "tag",
    "ceiling_log10_lr",
    "taken_log10_lr",
    "quantile",
    "stands_out",
    "mean_rank",
    "n_target",
    "n_nontarget",
)
"""The head of the table; numbers are unrounded, the rank is empty where it is not known."""


def speakers_csv(study: SpeakerStudy) -> str:
    """One row for each speaker, the most exposed first."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    mean_rank = study.mean_ranks
    for found in study.disclosures.speakers:
        rank = mean_rank.get(found.speaker)
        writer.writerow(
            [
                harmless_cell(found.speaker),
                repr(found.d_ece_bits),
                repr(found.estimate_bits),
                *(repr(end) if found.has_interval else "" for end in (found.low_bits, found.high_bits)),
                repr(found.worst_case_log10_lr),
                harmless_cell(found.tag),
                repr(found.ceiling_log10_lr),
                repr(found.taken_log10_lr),
                repr(found.quantile),
                "yes" if found.stands_out else "no",
                "" if rank is None else repr(rank),
                found.n_target,
                found.n_nontarget,
            ]
        )
    return stream.getvalue()

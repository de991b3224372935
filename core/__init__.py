"""The public door of the core: trials in, figures out; no window needed.

>>> import core
>>> trials = core.read_trials("scores", "trials")           # doctest: +SKIP
>>> assessment = core.assess(trials)                        # doctest: +SKIP
>>> assessment.d_ece_bits, assessment.tag                   # doctest: +SKIP
(0.6781596897162824, 'C')
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from core import version

if TYPE_CHECKING:
    from core.assessment import Assessment, ScoreMeaning, Settings, assess
    from core.counts import CountedTrials
    from core.errors import Cancelled, InputError, OutputError, ZebraError
    from core.intake.drop import read_trials
    from core.project import Project
    from core.project_file import open_project, save_project
    from core.remarks import Remark
    from core.segments import SegmentScores
    from core.similarity import SimilarityMatrix, similarity_matrix
    from core.similarity_files import read_similarity
    from core.speakers.accumulation import Accumulation, accumulate
    from core.speakers.disclosure import SpeakerDisclosures, speaker_disclosures
    from core.speakers.names import SpeakerRule
    from core.speakers.ranks import Ranks, rank_true_speakers
    from core.speakers.trials import SpeakerTrials
    from core.speakers.zoo import Zoo, zoo_of
    from core.trials import Trials
    from core.uncertainty.bootstrap import BootstrapSettings, Uncertainty, bootstrap
    from core.uncertainty.difference import bootstrap_paired, ranking
    from core.uncertainty.no_disclosure import NoDisclosure, without_disclosure
    from core.uncertainty.voices import voices_bootstrap
    from core.voices import VoiceSimilarity, voice_similarity

__version__ = version.VERSION

_HOMES = {
    "Accumulation": "core.speakers.accumulation",
    "accumulate": "core.speakers.accumulation",
    "Assessment": "core.assessment",
    "ScoreMeaning": "core.assessment",
    "Settings": "core.assessment",
    "assess": "core.assessment",
    "BootstrapSettings": "core.uncertainty.bootstrap",
    "bootstrap": "core.uncertainty.bootstrap",
    "bootstrap_paired": "core.uncertainty.difference",
    "ranking": "core.uncertainty.difference",
    "NoDisclosure": "core.uncertainty.no_disclosure",
    "without_disclosure": "core.uncertainty.no_disclosure",
    "Uncertainty": "core.uncertainty.bootstrap",
    "voices_bootstrap": "core.uncertainty.voices",
    "Cancelled": "core.errors",
    "CountedTrials": "core.counts",
    "Comparison": "core.comparison",
    "compare": "core.comparison",
    "InputError": "core.errors",
    "OutputError": "core.errors",
    "ZebraError": "core.errors",
    "read_trials": "core.intake.drop",
    "Project": "core.project",
    "open_project": "core.project_file",
    "save_project": "core.project_file",
    "Ranks": "core.speakers.ranks",
    "rank_true_speakers": "core.speakers.ranks",
    "Remark": "core.remarks",
    "SegmentScores": "core.segments",
    "SpeakerRule": "core.speakers.names",
    "SimilarityMatrix": "core.similarity",
    "similarity_matrix": "core.similarity",
    "read_similarity": "core.similarity_files",
    "SpeakerTrials": "core.speakers.trials",
    "SpeakerDisclosures": "core.speakers.disclosure",
    "speaker_disclosures": "core.speakers.disclosure",
    "Trials": "core.trials",
    "VoiceSimilarity": "core.voices",
    "voice_similarity": "core.voices",
    "Zoo": "core.speakers.zoo",
    "zoo_of": "core.speakers.zoo",
}

__all__ = [
    "Accumulation",
    "Assessment",
    "BootstrapSettings",
    "Cancelled",
    "Comparison",
    "CountedTrials",
    "InputError",
    "NoDisclosure",
    "OutputError",
    "Project",
    "Ranks",
    "Remark",
    "ScoreMeaning",
    "SegmentScores",
    "Settings",
    "SimilarityMatrix",
    "SpeakerDisclosures",
    "SpeakerRule",
    "SpeakerTrials",
    "Trials",
    "Uncertainty",
    "VoiceSimilarity",
    "ZebraError",
    "Zoo",
    "__version__",
    "accumulate",
    "assess",
    "bootstrap",
    "bootstrap_paired",
    "compare",
    "open_project",
    "rank_true_speakers",
    "ranking",
    "read_similarity",
    "read_trials",
    "save_project",
    "similarity_matrix",
    "speaker_disclosures",
    "voice_similarity",
    "voices_bootstrap",
    "without_disclosure",
    "zoo_of",
]


def __getattr__(name: str) -> Any:
    # NumPy, SciPy and pandas are loaded when first needed, so that `zebra --help` need not wait for them.
    if home := _HOMES.get(name):
        return getattr(import_module(home), name)
    raise AttributeError(f"module 'core' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)

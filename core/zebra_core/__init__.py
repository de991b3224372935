"""The public door of the core: trials in, figures out; no window needed.

>>> import zebra_core, zebra_resources
>>> demo = zebra_resources.path("demo")
>>> scores = demo / "exp/unprotected/ASV-libri_test_enrolls-libri_test_trials_f/scores"
>>> assessment = zebra_core.assess(zebra_core.read_trials(scores, demo / "data/libri_test_trials_f/trials"))
>>> round(assessment.d_ece_bits, 4), assessment.tag
(0.6782, 'C')
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from zebra_core import version

if TYPE_CHECKING:
    from zebra_core.document.project_file import open_project, save_project
    from zebra_core.errors import Cancelled, InputError, OutputError, ZebraError
    from zebra_core.evidence.audit import Remark
    from zebra_core.evidence.segments import SegmentScores
    from zebra_core.evidence.speaker_names import SessionRule, SpeakerRule
    from zebra_core.evidence.speaker_trials import SpeakerTrials
    from zebra_core.evidence.trials import CountedTrials, Trials
    from zebra_core.figures.all_pictures import pictures_of
    from zebra_core.figures.export import save_figure
    from zebra_core.figures.matplotlib_ import draw_figure, plot_ece, plot_similarity, plot_zoo
    from zebra_core.intake.drop import read_trials
    from zebra_core.metrics.array_functions import (
        actual_dcf,
        cllr_bits,
        d_ece_bits,
        det_curve,
        dev_pav,
        ece_curve,
        eer,
        invariance_bounds,
        linkability_d_sys,
        min_cllr_bits,
        min_dcf,
        pav_llr,
        rocch_eer,
        worst_case_log10_lr,
    )
    from zebra_core.metrics.assessment import Assessment, ScoreMeaning, Settings, assess
    from zebra_core.metrics.similarity import (
        SimilarityMatrix,
        VoiceSimilarity,
        similarity_matrix,
        voice_similarity,
    )
    from zebra_core.paper import SideBySide, compare
    from zebra_core.project.comparison.comparison import Comparison
    from zebra_core.project.project import Project
    from zebra_core.project.reading.folder import project_of_folder
    from zebra_core.project.reading.reading import read_similarity
    from zebra_core.report.citation import bibtex
    from zebra_core.report.tables import results_text
    from zebra_core.speakers.accumulation import Accumulation, accumulate
    from zebra_core.speakers.disclosure import SpeakerDisclosures, speaker_disclosures
    from zebra_core.speakers.rank_disclosure import Ranks, rank_true_speakers
    from zebra_core.speakers.zoo import Zoo, zoo_of
    from zebra_core.uncertainty.bootstrap import BootstrapSettings, Uncertainty, bootstrap
    from zebra_core.uncertainty.difference import bootstrap_paired, ranking
    from zebra_core.uncertainty.no_disclosure import NoDisclosure, without_disclosure
    from zebra_core.uncertainty.reidentification import linkage_probability
    from zebra_core.uncertainty.voices import voices_bootstrap

__version__ = version.VERSION

_HOMES = {
    "actual_dcf": "zebra_core.metrics.array_functions",
    "min_dcf": "zebra_core.metrics.array_functions",
    "cllr_bits": "zebra_core.metrics.array_functions",
    "d_ece_bits": "zebra_core.metrics.array_functions",
    "det_curve": "zebra_core.metrics.array_functions",
    "dev_pav": "zebra_core.metrics.array_functions",
    "ece_curve": "zebra_core.metrics.array_functions",
    "eer": "zebra_core.metrics.array_functions",
    "invariance_bounds": "zebra_core.metrics.array_functions",
    "linkability_d_sys": "zebra_core.metrics.array_functions",
    "min_cllr_bits": "zebra_core.metrics.array_functions",
    "pav_llr": "zebra_core.metrics.array_functions",
    "rocch_eer": "zebra_core.metrics.array_functions",
    "worst_case_log10_lr": "zebra_core.metrics.array_functions",
    "Accumulation": "zebra_core.speakers.accumulation",
    "accumulate": "zebra_core.speakers.accumulation",
    "Assessment": "zebra_core.metrics.assessment",
    "ScoreMeaning": "zebra_core.metrics.assessment",
    "Settings": "zebra_core.metrics.assessment",
    "assess": "zebra_core.metrics.assessment",
    "BootstrapSettings": "zebra_core.uncertainty.bootstrap",
    "bootstrap": "zebra_core.uncertainty.bootstrap",
    "bootstrap_paired": "zebra_core.uncertainty.difference",
    "ranking": "zebra_core.uncertainty.difference",
    "NoDisclosure": "zebra_core.uncertainty.no_disclosure",
    "without_disclosure": "zebra_core.uncertainty.no_disclosure",
    "linkage_probability": "zebra_core.uncertainty.reidentification",
    "Uncertainty": "zebra_core.uncertainty.bootstrap",
    "voices_bootstrap": "zebra_core.uncertainty.voices",
    "Cancelled": "zebra_core.errors",
    "CountedTrials": "zebra_core.evidence.trials",
    "Comparison": "zebra_core.project.comparison.comparison",
    "SideBySide": "zebra_core.paper",
    "compare": "zebra_core.paper",
    "bibtex": "zebra_core.report.citation",
    "InputError": "zebra_core.errors",
    "OutputError": "zebra_core.errors",
    "ZebraError": "zebra_core.errors",
    "pictures_of": "zebra_core.figures.all_pictures",
    "draw_figure": "zebra_core.figures.matplotlib_",
    "plot_ece": "zebra_core.figures.matplotlib_",
    "plot_similarity": "zebra_core.figures.matplotlib_",
    "plot_zoo": "zebra_core.figures.matplotlib_",
    "save_figure": "zebra_core.figures.export",
    "project_of_folder": "zebra_core.project.reading.folder",
    "results_text": "zebra_core.report.tables",
    "read_trials": "zebra_core.intake.drop",
    "Project": "zebra_core.project.project",
    "open_project": "zebra_core.document.project_file",
    "save_project": "zebra_core.document.project_file",
    "Ranks": "zebra_core.speakers.rank_disclosure",
    "rank_true_speakers": "zebra_core.speakers.rank_disclosure",
    "Remark": "zebra_core.evidence.audit",
    "SegmentScores": "zebra_core.evidence.segments",
    "SpeakerRule": "zebra_core.evidence.speaker_names",
    "SessionRule": "zebra_core.evidence.speaker_names",
    "SimilarityMatrix": "zebra_core.metrics.similarity",
    "similarity_matrix": "zebra_core.metrics.similarity",
    "read_similarity": "zebra_core.project.reading.reading",
    "SpeakerTrials": "zebra_core.evidence.speaker_trials",
    "SpeakerDisclosures": "zebra_core.speakers.disclosure",
    "speaker_disclosures": "zebra_core.speakers.disclosure",
    "Trials": "zebra_core.evidence.trials",
    "VoiceSimilarity": "zebra_core.metrics.similarity",
    "voice_similarity": "zebra_core.metrics.similarity",
    "Zoo": "zebra_core.speakers.zoo",
    "zoo_of": "zebra_core.speakers.zoo",
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
    "SessionRule",
    "Settings",
    "SideBySide",
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
    "actual_dcf",
    "assess",
    "bibtex",
    "bootstrap",
    "bootstrap_paired",
    "cllr_bits",
    "compare",
    "d_ece_bits",
    "det_curve",
    "dev_pav",
    "draw_figure",
    "ece_curve",
    "eer",
    "invariance_bounds",
    "linkability_d_sys",
    "linkage_probability",
    "min_cllr_bits",
    "min_dcf",
    "open_project",
    "pav_llr",
    "pictures_of",
    "plot_ece",
    "plot_similarity",
    "plot_zoo",
    "project_of_folder",
    "rank_true_speakers",
    "ranking",
    "read_similarity",
    "read_trials",
    "results_text",
    "rocch_eer",
    "save_figure",
    "save_project",
    "similarity_matrix",
    "speaker_disclosures",
    "voice_similarity",
    "voices_bootstrap",
    "without_disclosure",
    "worst_case_log10_lr",
    "zoo_of",
]


def __getattr__(name: str) -> Any:
    # NumPy, SciPy and pandas are loaded when first needed, so that `zebra --help` need not wait for them.
    if home := _HOMES.get(name):
        return getattr(import_module(home), name)
    raise AttributeError(f"module 'zebra_core' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)

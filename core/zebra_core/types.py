"""The types that signatures of `zebra_core` name, for annotations: what its functions take and return.

>>> from zebra_core.types import Interval
"""

from zebra_core.document.project_file import OpenedProject, SavedProject
from zebra_core.evidence.audit import Answers, Audit, Decision, InputFile, Severity
from zebra_core.evidence.heard_trials import HeardTrials, Resamplable
from zebra_core.evidence.speaker_names import Speakers
from zebra_core.evidence.speaker_trials import SpeakerCounts, TrialSide
from zebra_core.evidence.trials import BoolArray, CodeArray, FloatArray, Ids, IntArray, ScoreCounts
from zebra_core.figures.all_pictures import AvailablePicture
from zebra_core.figures.figure import CellsFigure, Figure
from zebra_core.intake.tables.published import PublishedResults
from zebra_core.metrics.assessment import EvidenceReading
from zebra_core.metrics.cross_fitted import CrossFitted
from zebra_core.metrics.ece import EceProfile, PavBlocks
from zebra_core.metrics.error_rates import DecisionErrors, InvarianceBounds, MisleadingEvidence
from zebra_core.metrics.oracle import Oracle
from zebra_core.metrics.scales import TagScale, VerbalScale
from zebra_core.metrics.similarity import Mean
from zebra_core.metrics.zebra import ReversedFigures
from zebra_core.project.attributes import AttributeInference, NamedAttribute
from zebra_core.project.baseline import Baseline
from zebra_core.project.by_group import GroupsOfPeople
from zebra_core.project.comparison.row import ComparisonGroup, ComparisonRow
from zebra_core.project.conclusion.overall import ProjectAnswer
from zebra_core.project.group_differences import GroupDifferences
from zebra_core.project.items import Condition, Entry, Item, SimilarityEntry, SpeechKey
from zebra_core.project.reading.folder import FolderProject
from zebra_core.project.report_settings import ReportSettings
from zebra_core.project.requirements.requirement import Requirement
from zebra_core.project.review import Review
from zebra_core.project.satellites import Study
from zebra_core.project.uniqueness import Uniqueness
from zebra_core.project.utility import Utility
from zebra_core.project.verdicts.verdict import Verdict
from zebra_core.runtime.progress import Progress
from zebra_core.speakers.accumulation import Pooling, PoolPoint
from zebra_core.speakers.disclosure import ExposureChance, SpeakerDisclosure
from zebra_core.speakers.exposure import Exposures
from zebra_core.speakers.zoo import Animal, Character, ZooScale
from zebra_core.uncertainty.difference import Ranking
from zebra_core.uncertainty.intervals import Interval
from zebra_core.uncertainty.no_disclosure import Exchange
from zebra_core.uncertainty.reidentification import Reidentification
from zebra_core.uncertainty.resampling import FigureDraws, ResamplingUnit
from zebra_core.uncertainty.trust import Trust
from zebra_core.uncertainty.weighted import Robustness
from zebra_core.utility.emotions import Emotions
from zebra_core.utility.word_errors import WordErrors

__all__ = [
    "Animal",
    "Answers",
    "AttributeInference",
    "Audit",
    "AvailablePicture",
    "Baseline",
    "BoolArray",
    "CellsFigure",
    "Character",
    "CodeArray",
    "ComparisonGroup",
    "ComparisonRow",
    "Condition",
    "CrossFitted",
    "Decision",
    "DecisionErrors",
    "EceProfile",
    "Emotions",
    "Entry",
    "EvidenceReading",
    "Exchange",
    "ExposureChance",
    "Exposures",
    "Figure",
    "FigureDraws",
    "FloatArray",
    "FolderProject",
    "GroupDifferences",
    "GroupsOfPeople",
    "HeardTrials",
    "Ids",
    "InputFile",
    "IntArray",
    "Interval",
    "InvarianceBounds",
    "Item",
    "Mean",
    "MisleadingEvidence",
    "NamedAttribute",
    "OpenedProject",
    "Oracle",
    "PavBlocks",
    "PoolPoint",
    "Pooling",
    "Progress",
    "ProjectAnswer",
    "PublishedResults",
    "Ranking",
    "Reidentification",
    "ReportSettings",
    "Requirement",
    "Resamplable",
    "ResamplingUnit",
    "ReversedFigures",
    "Review",
    "Robustness",
    "SavedProject",
    "ScoreCounts",
    "Severity",
    "SimilarityEntry",
    "SpeakerCounts",
    "SpeakerDisclosure",
    "Speakers",
    "SpeechKey",
    "Study",
    "TagScale",
    "TrialSide",
    "Trust",
    "Uniqueness",
    "Utility",
    "VerbalScale",
    "Verdict",
    "WordErrors",
    "ZooScale",
]

"""What values are called in annotations, for modules that are there before these can be imported.

SciPy and pandas come along with the core, so that a window which imports it before it shows, shows late:
whoever needs more of it than a name imports it in the body of the function. There is nothing here when the
program runs.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asn1crypto.x509 import Certificate as Certificate
    from click.shell_completion import CompletionItem as CompletionItem

    from zebra_core.evidence.answers import Answers as Answers
    from zebra_core.evidence.speaker_counts import SpeakerCounts as SpeakerCounts
    from zebra_core.evidence.trials import Trials as Trials
    from zebra_core.figures.figure import Figure as Figure
    from zebra_core.figures.saving_all import SavedPictures as SavedPictures
    from zebra_core.installation.dossier import Dossier as Dossier
    from zebra_core.intake.planned import Choices as Choices
    from zebra_core.intake.planned import FoundFile as FoundFile
    from zebra_core.intake.planned import Plan as Plan
    from zebra_core.intake.similarity_files import SegmentEvidence as SegmentEvidence
    from zebra_core.listening.evaluation import Evaluation as Evaluation
    from zebra_core.listening.evaluation import MeanRating as MeanRating
    from zebra_core.listening.evaluation import PanelResult as PanelResult
    from zebra_core.listening.making import Made as Made
    from zebra_core.listening.preparing import Outlook as Outlook
    from zebra_core.listening.request import ListeningRequest as ListeningRequest
    from zebra_core.metrics.adversary import AdversaryReport as AdversaryReport
    from zebra_core.metrics.assessment import Assessment as Assessment
    from zebra_core.metrics.assessment import ScoreMeaning as ScoreMeaning
    from zebra_core.metrics.scales import TagScale as TagScale
    from zebra_core.metrics.scales import VerbalScale as VerbalScale
    from zebra_core.metrics.voices import VoiceSimilarity as VoiceSimilarity
    from zebra_core.project.arrival import Arrival as Arrival
    from zebra_core.project.attack_words import AttackWords as AttackWords
    from zebra_core.project.attributes import NamedAttribute as NamedAttribute
    from zebra_core.project.comparison import Comparison as Comparison
    from zebra_core.project.content_cache import KnownResults as KnownResults
    from zebra_core.project.inference import Labels as Labels
    from zebra_core.project.inputs import FileKey as FileKey
    from zebra_core.project.inputs import Findings as Findings
    from zebra_core.project.items import Entry as Entry
    from zebra_core.project.items import Item as Item
    from zebra_core.project.items import SpeechKey as SpeechKey
    from zebra_core.project.joining import Joined as Joined
    from zebra_core.project.listening import HeardTest as HeardTest
    from zebra_core.project.listening import ListeningStudy as ListeningStudy
    from zebra_core.project.measuring import Measuring as Measuring
    from zebra_core.project.nameless import Nameless as Nameless
    from zebra_core.project.nameless import Places as Places
    from zebra_core.project.project import Project as Project
    from zebra_core.project.recorded_folders import RecordedFolders as RecordedFolders
    from zebra_core.project.report_settings import ReportSettings as ReportSettings
    from zebra_core.project.requirements.requirement import Requirement as Requirement
    from zebra_core.project.rereading import ReadAnew as ReadAnew
    from zebra_core.project.settling import Settling as Settling
    from zebra_core.project.utility import Utility as Utility
    from zebra_core.project.utility_study import RatingStudy as RatingStudy
    from zebra_core.project.utility_study import WordStudy as WordStudy
    from zebra_core.project.verdicts.verdict import Verdict as Verdict
    from zebra_core.project.watching import Stamp as Stamp
    from zebra_core.recordings.attacks import Attack as Attack
    from zebra_core.recordings.costs import Expected as Expected
    from zebra_core.recordings.dropped import Dropped as Dropped
    from zebra_core.recordings.dropped import Role as Role
    from zebra_core.recordings.dropped import Version as Version
    from zebra_core.recordings.folder import Recording as Recording
    from zebra_core.recordings.hearing import FolderStore as FolderStore
    from zebra_core.recordings.hearing import Heard as Heard
    from zebra_core.recordings.lesson import FoundLesson as FoundLesson
    from zebra_core.recordings.listing import RecordingRow as RecordingRow
    from zebra_core.recordings.offers import Offer as Offer
    from zebra_core.recordings.offers import Source as Source
    from zebra_core.recordings.overview import Overview as Overview
    from zebra_core.recordings.overview import RecordingChoices as RecordingChoices
    from zebra_core.recordings.request import Lesson as Lesson
    from zebra_core.recordings.request import Request as Request
    from zebra_core.recordings.scoring import Scored as Scored
    from zebra_core.recordings.survey import Seen as Seen
    from zebra_core.recordings.takes import Take as Take
    from zebra_core.report.checked import Checked as Checked
    from zebra_core.report.checked import Verification as Verification
    from zebra_core.report.pdf import PicturePlace as PicturePlace
    from zebra_core.report.pdf import Preview as Preview
    from zebra_core.saved.project_file import OpenedProject as OpenedProject
    from zebra_core.saved.project_file import SavedProject as SavedProject
    from zebra_core.speakers.folds import CrossValidation as CrossValidation
    from zebra_core.speakers.study import SpeakerStudy as SpeakerStudy
    from zebra_core.speakers.zoo import ZooScale as ZooScale
    from zebra_core.speakers.zoo_chance import Difference as Difference
    from zebra_core.uncertainty.bootstrap import BootstrapSettings as BootstrapSettings
    from zebra_core.uncertainty.intervals import Interval as Interval
    from zebra_core.uncertainty.people_points import PeoplePoint as PeoplePoint
    from zebra_core.uncertainty.reidentification import Reidentification as Reidentification
    from zebra_core.uncertainty.trust import Trust as Trust
    from zebra_core.uncertainty.voices_trust import VoicesTrust as VoicesTrust
    from zebra_core.utility.listening import Question as Question
    from zebra_core.utility.listening import Ratings as Ratings
    from zebra_core.utility.word_errors import WordErrors as WordErrors

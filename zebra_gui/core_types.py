"""What values are called in annotations, for modules that are there before these can be imported.

A window that imports the whole core before it shows, shows half as late again: what is there before imports
what it needs of it in the bodies of its functions, or in a LateModule. Nothing is here when the program runs.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asn1crypto.x509 import Certificate as Certificate
    from click.shell_completion import CompletionItem as CompletionItem

    from zebra_core.document.project_file import OpenedProject as OpenedProject, SavedProject as SavedProject
    from zebra_core.evidence.audit import Answers as Answers
    from zebra_core.evidence.speaker_names import Sessions as Sessions
    from zebra_core.figures.saving_all import SavedPictures as SavedPictures
    from zebra_core.installation.dossier import Dossier as Dossier
    from zebra_core.intake.planned import FoundFile as FoundFile, Plan as Plan
    from zebra_core.metrics.assessment import Assessment as Assessment, ScoreMeaning as ScoreMeaning
    from zebra_core.metrics.scales import TagScale as TagScale, VerbalScale as VerbalScale
    from zebra_core.project.attackers import AttackWords as AttackWords
    from zebra_core.project.comparison.difference_tests import (
        MeasuredItems as MeasuredItems,
        SettledGroups as SettledGroups,
    )
    from zebra_core.project.conclusion.overall import ProjectAnswer as ProjectAnswer
    from zebra_core.project.gathering.material import StudiedProject as StudiedProject
    from zebra_core.project.items import Entry as Entry, Item as Item, SpeechKey as SpeechKey
    from zebra_core.project.project import Project as Project
    from zebra_core.project.reading.arrival import Arrival as Arrival
    from zebra_core.project.reading.content_cache import KnownResults as KnownResults
    from zebra_core.project.reading.inputs import FileKey as FileKey, Findings as Findings
    from zebra_core.project.reading.late_attributes import (
        JoinedFiles as JoinedFiles,
        RereadItems as RereadItems,
        Stamp as Stamp,
    )
    from zebra_core.project.report_settings import ReportSettings as ReportSettings
    from zebra_core.project.requirements.requirement import Requirement as Requirement
    from zebra_core.project.review import Review as Review
    from zebra_core.project.utility import Utility as Utility
    from zebra_core.project.verdicts.verdict import Verdict as Verdict
    from zebra_core.recordings.again import SameAgain as SameAgain
    from zebra_core.recordings.embedding import (
        EmbeddedRecording as EmbeddedRecording,
        FolderStore as FolderStore,
        SurveyedRecording as SurveyedRecording,
    )
    from zebra_core.recordings.folder import Recording as Recording
    from zebra_core.recordings.folder_roles import (
        BackgroundFolders as BackgroundFolders,
        DroppedFolders as DroppedFolders,
    )
    from zebra_core.recordings.overview import (
        ExpectedWork as ExpectedWork,
        Overview as Overview,
        RecordingChoices as RecordingChoices,
    )
    from zebra_core.recordings.pairing_rules import PairingSource as PairingSource
    from zebra_core.recordings.recording_table import (
        RecordingRow as RecordingRow,
        RecordingVersions as RecordingVersions,
    )
    from zebra_core.recordings.request import Request as Request
    from zebra_core.recordings.speakers import AlikeSpeakers as AlikeSpeakers, Source as Source
    from zebra_core.report.verification import Verification as Verification
    from zebra_core.uncertainty.trust import Trust as Trust
    from zebra_core.utility.emotions import Emotions as Emotions
    from zebra_core.utility.listening import RatingQuestion as RatingQuestion, Ratings as Ratings
    from zebra_core.utility.word_errors import WordErrors as WordErrors

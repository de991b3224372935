"""Which page of the manual tells of what is on the screen."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

FIRST_PAGE = "first-steps"
SIX_CASES = "method/stated-llrs"

PAGE_OF_PART: Mapping[str, str] = MappingProxyType(
    {
        "AnswerPane": "figures/answer",
        "OverviewPane": "figures/overview",
        "EcePane": "figures/population-disclosure",
        "ComparePane": "challenge-folder",
        "CertaintyPane": "figures/intervals",
        "ErrorsPane": "figures/error-rates",
        "StrengthPane": "figures/worst-case",
        "CalibrationPane": "figures/calibration",
        "SimilarityPane": "figures/similarity",
        "ZooPane": "figures/zoo",
        "PeoplePane": "figures/speakers",
        "LawPane": "figures/re-identification",
        "ListeningPane": "listening-tests",
        "FilesPane": "files-and-formats",
        "ReportPane": "result-to-report",
        "IntakeSheet": "files-and-formats",
        "RecordingsPage": "from-recordings",
        "AboutDialog": FIRST_PAGE,
        "FaultDialog": "when-something-goes-wrong",
        "ListeningDialog": "from-recordings",
        "ListeningTestDialog": "listening-tests",
        "PageDialog": "when-something-goes-wrong",
        "PagesBeside": "verify-and-sign",
        "PicturesDialog": "result-to-report",
        "ProtectDialog": "from-recordings",
        "SaveDialog": "files-and-formats",
        "ScalesDialog": "figures/worst-case",
        "ShortcutsDialog": FIRST_PAGE,
        "SigningDialog": "verify-and-sign",
        "VerificationDialog": "verify-and-sign",
    }
)
"""By the name of the class of a pane, of what else fills the window, or of a dialog."""


def page_about(shown: object) -> str:
    """The page about a pane or another part of the window; the first page where there is none of its own."""
    names = (of.__name__ for of in type(shown).__mro__)
    return next((PAGE_OF_PART[name] for name in names if name in PAGE_OF_PART), FIRST_PAGE)

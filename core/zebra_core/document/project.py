"""What a project says beside its items: its report, published results, utility, requirements and checks."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path

from zebra_core.document.parts import Json, SavedValue, files_as_json, files_of
from zebra_core.evidence.value_types import Name, as_json
from zebra_core.intake.opening.opening import Source
from zebra_core.intake.tables.published import PublishedResults
from zebra_core.project.baseline import Baseline
from zebra_core.project.items import Condition, Entry, SpeechKey
from zebra_core.project.report_settings import CONTEXT, Logo, ReportSettings, Section
from zebra_core.project.requirements.requirement import MOST_REQUIREMENTS, Requirement
from zebra_core.project.review import Review
from zebra_core.project.satellites import SATELLITES, Study, satellite_named
from zebra_core.project.utility import Utility
from zebra_core.uncertainty.weighted import HEADLINES, FiguresWithout, LeftOutUnit, Robustness
from zebra_core.utility.emotions import Emotions
from zebra_core.utility.listening import RatingQuestion, Ratings
from zebra_core.utility.word_errors import COUNTS, WordErrors

MOST_PUBLISHED = MOST_UTILITIES = 10_000
_MOST_STUDIES, _MOST_FILES = 1000, 10_000
_ASKED = tuple(dict.fromkeys(("safeguard", "people", "with_comments", *CONTEXT)))
"""What a report is asked about, and in which context: said where it is stated; older projects do not."""
_REPORT = tuple(one.name for one in fields(ReportSettings) if one.name not in ("logo", *_ASKED))


def report_as_json(settings: ReportSettings) -> Json:
    """What is said about the report; the logo in base64."""
    return {
        **{name: as_json(getattr(settings, name)) for name in _REPORT},
        **{name: as_json(stated) for name in _ASKED if (stated := getattr(settings, name))},
        "left_out": [section.value for section in Section if section in settings.left_out],
        "logo": settings.logo.as_json() if settings.logo else None,
    }


def context_as_json(settings: ReportSettings) -> Json:
    """The context of the release, as evidence and `--json` have it; None for what is not stated."""
    unstated = settings.unstated
    return {name: None if name in unstated else as_json(getattr(settings, name)) for name in CONTEXT}


def report_of(saved: SavedValue) -> ReportSettings:
    """What `report_as_json` wrote. Raises InputError."""
    with saved.as_part("report-not-readable"):
        logo = saved["logo"].or_none(lambda logo: Logo.from_json(logo.value))
        return ReportSettings(**saved.fields_of(ReportSettings, _REPORT, _ASKED, bounded=False), logo=logo)


def published_as_json(results: PublishedResults) -> Json:
    """A result file and what it prints."""
    return {
        "path": os.path.normpath(results.source.path.absolute()),
        "member": results.source.member,
        **{name: as_json(getattr(results, name)) for name in ("sha256", "figures", "unread_lines")},
    }


def published_of(saved: SavedValue) -> PublishedResults:
    """The published results that `published_as_json` wrote."""
    for row in saved["figures"].rows():
        row["condition"].as_a(Condition | None)
    return PublishedResults(
        Source(saved["path"].path(), saved["member"].as_a(str)),
        **saved.fields_of(PublishedResults, ("sha256", "figures", "unread_lines")),
    )


def utilities_as_json(utilities: Mapping[SpeechKey, Utility]) -> list[Json]:
    """The utility of speech, each with the fields of its key."""
    return [{**key._asdict(), **utility.as_json()} for key, utility in utilities.items()]


def utilities_of(saved: SavedValue) -> dict[SpeechKey, Utility]:
    """The utilities that `utilities_as_json` wrote. Raises InputError."""
    found = {}
    for row in saved.rows(MOST_UTILITIES):
        key = SpeechKey(**row.fields_of(SpeechKey, SpeechKey._fields))
        found[key] = _utility_of(row)
    return found


def _utility_of(saved: SavedValue) -> Utility:
    with saved.as_part("utility-not-readable"):
        known = saved.fields_of(Utility, (), ("wer", "printed_in"))
        if "words" in saved.fields():
            known["words"] = saved["words"].or_none(_words_of)
        if "emotions" in saved.fields():
            known["emotions"] = _emotions_of(saved["emotions"])
        heard = {
            SavedValue(name, one.place, one.file).as_a(RatingQuestion): ratings_of(one)
            for name, one in saved["listening"].fields().items()
        }
        return Utility(listening=heard, **known)


def _words_of(saved: SavedValue) -> WordErrors:
    return WordErrors(**saved.fields_of(WordErrors, COUNTS, ("of_characters", "by_speaker")))


def _emotions_of(saved: SavedValue) -> Emotions:
    return Emotions(**saved.fields_of(Emotions, ("values", "counts"), ("by_speaker",)))


def ratings_of(saved: SavedValue) -> Ratings:
    """The ratings that `Ratings.as_json` wrote. Raises InputError."""
    with saved.as_part():
        return Ratings(**saved.fields_of(Ratings, ("upper", "lower"), ("values", "highest", "by_speaker")))


def requirements_of(saved: SavedValue) -> tuple[Requirement, ...]:
    """The requirements of a project. Raises InputError at what is no requirement, and at two of one name."""
    found = tuple(row.as_a(Requirement) for row in saved.rows(MOST_REQUIREMENTS))
    if len({each.name for each in found}) < len(found):
        saved.refuse("ids")
    return found


def review_as_json(review: Review) -> Json:
    """What reviewers said, nothing where nobody did."""
    return {"review": as_json(review)} if review else {}


def review_of(saved: SavedValue) -> Review:
    """What `review_as_json` wrote. Raises InputError."""
    there = saved.fields()
    if "review" not in there:
        return Review()
    with there["review"].as_part():
        return Review(**there["review"].fields_of(Review, ["comments"]))


def since_as_json(since: Baseline | None) -> Json:
    """The earlier assessment that a project is held against; nothing where there is none."""
    return {"since": as_json(since)} if since else {}


def since_of(saved: SavedValue) -> Baseline | None:
    """What `since_as_json` wrote. Raises InputError."""
    there = saved.fields()
    return there["since"].as_a(Baseline) if "since" in there else None


def has_approvals(saved: SavedValue) -> bool:
    """Whether it has statuses or signed versions, which earlier versions of ZEBRA kept beside comments."""
    review = saved.fields().get("review")
    kept = review.fields() if review else {}
    return any(name in kept and bool(kept[name].value) for name in ("statuses", "signed"))


def robustness_of(saved: SavedValue, entries: Sequence[Entry]) -> dict[str, Robustness]:
    """What `comparison.spans.robustness_as_json` wrote, by the id of the entry. Raises InputError."""
    found: dict[str, Robustness] = {}
    for row in saved.rows(len(entries)):
        entry = entries[row["assessment"].whole(0, len(entries) - 1)]
        if entry.id in found:
            row.refuse("ids")
        found[entry.id] = Robustness(
            entry.assessment.rests_on,
            row["speakers"].whole(1),
            _figures_of(row["figures"]),
            tuple(_left_out_of(one) for one in row["left_out"].rows()),
        )
    return found


def _left_out_of(saved: SavedValue) -> FiguresWithout:
    return FiguresWithout(
        saved["part"].as_a(LeftOutUnit),
        saved["name"].as_a(Name),
        saved["speakers"].whole(1),
        _figures_of(saved["figures"]),
    )


def _figures_of(saved: SavedValue) -> Mapping[str, float]:
    known = saved.fields(len(HEADLINES))
    if not known.keys() <= set(HEADLINES):
        saved.refuse("object")
    return {name: value.as_a(float) for name, value in known.items()}


def studies_as_json(studies: Sequence[Study], folder: Path, *, without_folders: bool = False) -> Json:
    """What satellites have, by their names: files, and what came of them; answers stay in their own files."""
    return {
        name: [
            {
                "id": one.id,
                "files": files_as_json(one.files, folder, without_folders=without_folders),
                "values": dict(one.values),
            }
            for one in studies
            if one.kind == name
        ]
        for name in SATELLITES
    }


def studies_of(saved: SavedValue) -> tuple[Study, ...]:
    """What `studies_as_json` wrote into a project. Raises InputError for what was not saved so."""
    return tuple(_study_of(row, name) for name in SATELLITES for row in saved[name].rows(_MOST_STUDIES))


def _study_of(saved: SavedValue, name: str) -> Study:
    satellite, files = satellite_named(name), files_of(saved["files"], _MOST_FILES)
    values = saved["values"].value
    satellite.refuse_unlike(files, values, saved.file)
    assert isinstance(values, Mapping)  # noqa: S101 - it is not unlike
    return satellite.study(files, values, saved["id"].as_a(str))

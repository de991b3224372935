"""evidence.json as a type: what stands in it, where, within which bounds; its JSON Schema is made of that."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

from msgspec import Meta

import zebra_resources
from zebra_core.evidence.attack import ATTACK
from zebra_core.evidence.value_types import (
    Amount,
    Count,
    Name,
    Notes,
    NumberOrNone,
    Positive,
    Sha256,
    Type,
    array_of,
    json_object,
    json_schema,
    map_of,
    note,
    nullable,
    numbers,
    open_object,
    optional,
)
from zebra_core.intake.planned import Topic
from zebra_core.intake.recordings_file import RECORD
from zebra_core.metrics.assessment import EvidenceReading, ScoreMeaning
from zebra_core.metrics.registry import METRICS, Metric
from zebra_core.project.attackers import ATTACK_GROUP
from zebra_core.project.baseline import Baseline
from zebra_core.project.by_group import GROUPS_OF_PEOPLE
from zebra_core.project.checks.outcome import CHECK_LINE
from zebra_core.project.comparison.spans import ROBUSTNESS
from zebra_core.project.conclusion.conclusion import CONCLUSION
from zebra_core.project.group_differences import COMPARED_FIGURE
from zebra_core.project.items import Condition
from zebra_core.project.report_settings import Access, Text
from zebra_core.project.requirements.requirement import Sense
from zebra_core.project.review import MOST_COMMENTS, Comment
from zebra_core.project.satellites import SATELLITES, satellite_named
from zebra_core.project.uniqueness import UNIQUENESS
from zebra_core.project.verdicts.verdict import VERDICT, VerdictOutcome
from zebra_core.speakers.study import MOST_EXPOSED
from zebra_core.uncertainty.linking_points import WORST_TENTH
from zebra_core.uncertainty.reidentification import MOST_LINKED
from zebra_core.uncertainty.trust import CROSS_FITTED, PROFILE, REVERSED
from zebra_core.wording.texts import ENGLISH, knows, say, speaking

SCHEMA_FILE = "evidence.schema.json"
_TITLE = "The evidence of a ZEBRA report"
_DESCRIPTION = (
    "Every figure unrounded. Rates are fractions; null stands for what is not measurable or not finite; LLRs "
    "are in base 10, profiles over natural log-odds."
)

_Two = Annotated[int, Meta(ge=2)]
_Twenty = Annotated[int, Meta(ge=20)]
_Day = Annotated[str, Meta(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
_ASSESSMENTS = note(list[Count], "places in the assessments, from 0")
_ANYTHING = dict[str, Any]

INPUT = json_object(
    "Input",
    name=note(str, "with as many folders as tell it from its namesakes"),
    member=note(str, "which file of an archive"),
    role=str,
    format=str,
    dialect=str,
    size=Count,
    sha256=note(Sha256, "of the file as it lies on disk"),
    rows=Count,
)
SETTINGS = json_object(
    "Settings",
    tag_scale=array_of(json_object("Tag", letter=str, from_log10_lr=float, words=str)),
    verbal_scale=_ANYTHING | None,
    prior_log_odds_limit=float,
    prior_points=_Two,
    score_meaning=ScoreMeaning,
    prior_one_in=note(_Two, "the prior at which decisions are judged, as 1 in so many"),
)
MISLEADING = numbers("Misleading", "of_target", "of_nontarget")
SPEAKER = json_object(
    "Speaker",
    speaker=str,
    n_target=Count,
    n_nontarget=Count,
    n_segments=note(Count, "test segments in own target trials"),
    d_ece_bits=note(
        NumberOrNone,
        "own target trials, judged by calibrations of other speakers, with the nontarget trials of all",
    ),
    estimate_bits=note(NumberOrNone, "the same drawn towards the mean of all speakers"),
    interval_bits=list[NumberOrNone],
    worst_case_log10_lr=NumberOrNone,
    tag=str,
    ceiling_log10_lr=NumberOrNone,
    taken_log10_lr=note(NumberOrNone, "the strongest evidence for the same speaker in nontarget trials"),
    stands_out=note(
        bool,
        "from the others, in scores and in what own trials disclose, corrected for the number of speakers",
    ),
)
REMARK = json_object("Remark", code=str, severity=str, facts=_ANYTHING, text=str)

_AMONG_PEOPLE = json_object(
    "AmongPeople",
    people=_Two,
    recordings=note(Positive, "how many are pooled"),
    probability=Amount,
    low=note(NumberOrNone, "of the interval; null where nobody asked, or too few people"),
    high=NumberOrNone,
    chance=Amount,
    above_guessing=note(Amount, "(probability − chance)/(1 − chance), and 0 below guessing"),
    undisclosed_low=note(NumberOrNone, "of the band of recordings dealt anew within each enrolment's row"),
    undisclosed_high=NumberOrNone,
)
_STATED = json_object(
    "LinkageAmongStated",
    people=note(_Two, "as the context of the release states them"),
    linkage=note(
        array_of(_AMONG_PEOPLE),
        "π_link among them by numbers of pooled recordings; empty where fewer are enrolled",
    ),
)
_RANK_DISCLOSURE = json_object(
    "RankDisclosure",
    mean_bits=Amount,
    worst_bits=Amount,
    people=_Two,
    mean_undisclosed_low=note(
        NumberOrNone, "of the band of sets without disclosure; null where there is none"
    ),
    mean_undisclosed_high=NumberOrNone,
    worst_undisclosed_low=NumberOrNone,
    worst_undisclosed_high=NumberOrNone,
)
_REIDENTIFICATION = json_object(
    "Reidentification",
    linkage=note(array_of(_AMONG_PEOPLE), "the linkage probability π_link among so many people"),
    singling_out=note(
        nullable(array_of(_AMONG_PEOPLE)),
        "the probability π_sing of singling out among so many; null where no two people have two recordings",
    ),
    rank_disclosure=_RANK_DISCLOSURE,
    most_linked=note(MOST_LINKED, "whose single recordings are linked most often among all who are enrolled"),
    n_enrolled=note(Count, "people"),
    n_recordings=note(Count, "compared with all of them"),
    n_listed=note(Count, "recordings of enrolled people, complete or not"),
    n_calibration=note(
        Count,
        "recordings of each person that set the threshold of singling out; 0 where there are none",
    ),
    remarks=list[str],
    worst_tenth=note(
        WORST_TENTH, "whose single recordings are linked most often among the people in question"
    ),
    among=optional(note(_STATED, "left out where nobody stated how many people are in question")),
)
_ATTRIBUTE_FIGURE = json_object(
    "AttributeFigure",
    value=float,
    low=note(NumberOrNone, "of the interval over speakers; null where nobody asked, or a value has too few"),
    high=NumberOrNone,
    chance=note(float, "without listening"),
    undisclosed_low=note(NumberOrNone, "of the band of attributes dealt anew among the speakers"),
    undisclosed_high=NumberOrNone,
    above_guessing=note(NumberOrNone, "(value − chance)/(1 − chance), and 0 below guessing; null of bits"),
)
_ATTRIBUTE_RECOGNISER = json_object(
    "AttributeRecogniser",
    accuracy=note(_ATTRIBUTE_FIGURE, "a fraction of the recordings"),
    unweighted_average_recall=note(_ATTRIBUTE_FIGURE, "a fraction, the mean over values"),
    mutual_information_bits=note(
        _ATTRIBUTE_FIGURE, "of the true value and the guess, adjusted for chance as its band is"
    ),
    mutual_information_as_computed_bits=float,
    speakers=Positive,
    recordings=Positive,
)
_INFERENCE = json_object(
    "Inference",
    attribute=note(str, "the name of its file"),
    values=note(list[str], "of the speakers of these trials"),
    speakers=Count,
    similarity_bits=note(
        nullable(_ATTRIBUTE_FIGURE),
        "D_ECE of pairs of different speakers: of one value against of two",
    ),
    recogniser=note(nullable(_ATTRIBUTE_RECOGNISER), "what a recogniser of the attribute said of recordings"),
    remarks=list[str],
)
_TRUST = json_object(
    "Trust",
    intervals=dict[str, list[NumberOrNone]],
    level=float,
    corrected=_ANYTHING,
    null=_ANYTHING | None,
    null_p=_ANYTHING | None,
    null_replicates=nullable(_Twenty),
    null_tag_share=note(
        NumberOrNone, "share of the sets without any disclosure that reach this tag or a worse one"
    ),
    seed=Count,
    replicates=Positive,
    d_ece_corrected_bits=note(NumberOrNone, "as in the assessment"),
    bounded=optional(
        note(
            map_of(
                json_object(
                    "BoundedFigure",
                    value=NumberOrNone,
                    interval=list[float] | None,
                    replicates=nullable(Positive),
                    chance=note(NumberOrNone, "what guessing reaches"),
                )
            ),
            "figures that requirements ask for besides, drawn again, by their keys: "
            "cross_fitted_worst_case_log10_lr, "
            "pi_link:PEOPLE:RECORDINGS, pi_sing:PEOPLE:RECORDINGS, rank_disclosure, uar:ATTRIBUTE; null if "
            "one cannot be measured; absent where nobody requires one",
        )
    ),
    people=optional(
        note(
            json_object(
                "SinglePeople",
                apart=note(
                    nullable(Count),
                    "speakers who are not as the others, by however few recordings; null where nobody can "
                    "tell",
                ),
            ),
            "what is known of every single person; absent where nobody required it",
        )
    ),
    groups=optional(
        note(
            map_of(_ANYTHING),
            "the same of people of whom something is required by themselves, by what they are called, or the "
            "reason why there is nothing; absent where nobody requires it",
        )
    ),
    normalised=optional(
        note(
            map_of(_ANYTHING),
            "the same of the scores held against the others of their enrolment (z), of their test (t), or "
            "both (s), with their figures as computed; absent where that was not tried",
        )
    ),
    not_normalised=optional(note(str, "why that was not tried, as a code; absent where it was")),
)
_AUDIT = open_object(
    "Audit",
    decisions=list[str],
    findings=array_of(open_object("Finding", code=str)),
)
_SIMILARITY_TRUST = json_object(
    "SimilarityTrust",
    intervals=dict[str, list[NumberOrNone]],
    level=float,
    null=note(dict[str, list[float]], "median, and what one set in twenty goes beyond"),
    null_p=dict[str, float],
    null_replicates=note(dict[str, Positive], "by setting"),
    seed=Count,
    replicates=Positive,
)
_DIFFERENCES = json_object(
    "Differences",
    entries=note(
        list[Count],
        "what was compared, as places in the assessments, from 0; the first says in which order trials are "
        "drawn",
    ),
    matrices=note(
        array_of(nullable(Count)),
        "of each entry, a place in the similarities; null where its matrices were not compared",
    ),
    figures=map_of(COMPARED_FIGURE),
    level=float,
    seed=Count,
    replicates=_Twenty,
)
_CONTEXT = json_object(
    "Context",
    recipients=str | None,
    access=Access | None,
    other_knowledge=note(str | None, "what else the recipients may hold"),
    motive=str | None,
    means=note(str | None, "time, cost and skill of whoever tries"),
    domain=note(str | None, "of the pseudonymisation"),
    people=note(nullable(_Two), "how many are in question"),
    retention=str | None,
    hears_originals=str | None,
    review_on=note(nullable(_Day), "when all of this is looked at again"),
)
_PAGES = json_object(
    "Pages",
    report=note(
        _ANYTHING,
        "what the user says about the report, as a project has it; without the notes of sections that are "
        "left out",
    ),
    author=note(Text, "takes the place of the author of the report where it is not empty"),
    is_summary=bool,
    kinds=note(
        list[Literal["assessment", "similarity"]],
        "of the items in the order of the project; assessments and similarities stand in this order, too",
    ),
    colours=note(array_of(nullable(Count)), "of each item the number of its colour; null is grey"),
    fonts=note(Sha256, "SHA-256 of the font files together"),
    ticked=optional(
        note(
            list[bool],
            "of each item whether the pages are of it; requirements are judged over all; left out for all",
        )
    ),
    utilities=optional(
        note(
            array_of(open_object("Utility", dataset=str, safeguard=str, run=str)),
            "word errors, emotions and ratings of speech, as stated: verifying does not count them again; "
            "left out where none is known",
        )
    ),
)

_REVIEW = json_object("Review", comments=Annotated[list[Comment], Meta(max_length=MOST_COMMENTS)])


def _item(name: str, topics: Type, **fields: Type) -> Type:
    """What assessments and similarities have in common, and what is theirs."""
    choice = json_object(
        f"{name}Choice", input=Count, topic=topics, choice=optional(str), key=optional(Count)
    )
    return json_object(
        name,
        name=note(Name, "of the safeguard"),
        dataset=Name,
        run=Name,
        notes=Notes,
        inputs=note(list[Count], "places in the inputs, from 0"),
        choices=note(
            array_of(choice),
            "what was chosen about a file; which key belongs to it is a place in the inputs",
        ),
        **fields,
        remarks=array_of(REMARK),
    )


def _figure(metric: Metric) -> Type:
    code = f"evidence.{metric.code}"
    with speaking(ENGLISH):  # it is for machines, and for whoever writes programs
        return note(metric.format.type, say(code)) if knows(code) else metric.format.type


def _assessment() -> Type:
    return _item(
        "Assessment",
        Topic,
        condition=Condition | None,
        **{name: note(Name, meaning) for name, meaning in ATTACK.items()},
        settings=SETTINGS,
        **{metric.key: _figure(metric) for metric in METRICS if metric.stands_alone},
        d_ece_corrected_bits=note(
            NumberOrNone, "without the optimism of small sets; null where nobody asked for intervals"
        ),
        hits_at=note(
            optional(map_of(NumberOrNone)),
            "the largest share of target trials accepted at a threshold with at most so many false alarms, "
            "by the false-alarm rate (0.01, 0.001, 0.0001); null where one false alarm is more than that; "
            "left out by earlier versions",
        ),
        reading=note(
            EvidenceReading,
            "by which reading the scores disclose most, as far as more than chance says so",
        ),
        reversed=note(REVERSED, "of the scores with their signs changed"),
        cross_fitted=note(
            CROSS_FITTED, "of LRs learnt on other speakers, as far as the trials bear them out"
        ),
        ceiling_for_log10_lr=note(NumberOrNone, "the most that so many trials can show for one speaker"),
        ceiling_against_log10_lr=note(NumberOrNone, "and for two"),
        misleading=note(MISLEADING, "after oracle calibration, fractions of each class"),
        recall=array_of(json_object("Recall", false_alarms=float, found=NumberOrNone)),
        profile=PROFILE,
        speakers=note(
            nullable(array_of(SPEAKER)), "the most exposed first; null where speakers are not known"
        ),
        most_exposed=note(
            nullable(MOST_EXPOSED),
            "how exposed the most exposed speaker is, whoever that is; null where speakers are not known",
        ),
        reidentification=note(nullable(_REIDENTIFICATION), "null where the list does not allow it"),
        inference=note(
            nullable(array_of(_INFERENCE)),
            "one for each attribute that was brought along; null where none was",
        ),
        trust=note(
            nullable(_TRUST),
            "intervals by the bootstrap over speakers and what no disclosure would show; null where nobody "
            "asked",
        ),
        audit=nullable(_AUDIT),
        by_group=optional(
            note(
                array_of(GROUPS_OF_PEOPLE),
                "groups of people by each attribute that was brought along, in the strongest attack on a "
                "safeguard; absent where there is none",
            )
        ),
        uniqueness=optional(
            note(
                UNIQUENESS,
                "how many people share their combination of the attributes that were brought along; absent "
                "where there is none",
            )
        ),
    )


def _similarity() -> Type:
    return _item(
        "Similarity",
        Literal["reading", "key", "setting", "speakers", "unpacking"],
        decisions=list[str],
        mean=str,
        figures=_ANYTHING,
        trust=note(
            nullable(_SIMILARITY_TRUST),
            "intervals by the bootstrap over speakers, and what D_diag would be without disclosure; null "
            "where nobody asked",
        ),
    )


@cache
def evidence_type() -> Type:
    """What the values of evidence are."""
    return json_object(
        "Evidence",
        schema=json_object("Schema", name=Literal["zebra-evidence"], version=Literal[1]),
        title=Text,
        case=Text,
        date=_Day,
        versions=dict[str, str],
        inputs=array_of(INPUT),
        assessments=array_of(_assessment()),
        similarities=array_of(_similarity()),
        differences=note(
            array_of(_DIFFERENCES),
            "paired comparisons on common trials, with the same speakers drawn for both",
        ),
        requirements=note(array_of(VERDICT), "what was required, and whether it is met"),
        answer=note(optional(str), "what is concluded of all safeguards, in a sentence"),
        answers=note(
            optional(array_of(CONCLUSION)), "the answer for each safeguard: what the strongest attacker finds"
        ),
        pages=note(_PAGES, "what the printed pages are made of beside the figures, to make them again"),
        attackers=note(
            array_of(ATTACK_GROUP),
            "who attacks one safeguard in one dataset, and who of them finds most",
        ),
        checks=note(array_of(CHECK_LINE), "is this assessment to be trusted?"),
        robustness=note(
            array_of(ROBUSTNESS),
            "headline figures, as computed, without some of the speakers; empty where nobody asked",
        ),
        recordings=note(
            array_of(
                json_object(
                    "RecordOfAssessments",
                    input=note(Count, "the record among the inputs"),
                    assessments=list[Count],
                    record=note(RECORD, "as it stands in its file"),
                )
            ),
            "how scores were made from recordings",
        ),
        **{name: satellite_named(name).evidence for name in SATELLITES},
        context=optional(
            note(_CONTEXT, "in which something is released; null for what is not stated, see pages")
        ),
        since=optional(
            note(
                Baseline,
                "an earlier assessment that this one is held against, as stated: verifying does not look at "
                "it again; absent where there is none",
            )
        ),
        review=optional(note(_REVIEW, "what reviewers of the report said; absent unless it was asked for")),
    )


EARLIER = open_object(
    "EarlierEvidence",
    title=str,
    date=_Day,
    versions=dict[str, str],
    inputs=array_of(INPUT),
    assessments=array_of(
        open_object(
            "EarlierAssessment",
            name=str,
            dataset=str,
            run=str,
            inputs=list[Count],
            condition=Condition | None,
            **dict.fromkeys(ATTACK, str),
            d_ece_corrected_bits=NumberOrNone,
            trust=nullable(open_object("EarlierTrust", intervals=dict[str, list[NumberOrNone]], level=float)),
            audit=_ANYTHING | None,
        )
    ),
    requirements=array_of(
        open_object(
            "EarlierVerdict",
            name=str,
            figure=str,
            sense=Sense,
            verdict=VerdictOutcome,
            rows=array_of(
                open_object(
                    "EarlierRow",
                    verdict=VerdictOutcome,
                    value=float | str | None,
                    low=NumberOrNone,
                    high=NumberOrNone,
                )
            ),
        )
    ),
    answers=optional(array_of(open_object("EarlierAnswer", safeguard=str, named=_ANYTHING | None))),
)
"""What is read of the evidence of an earlier report: what every version has said so."""


def schema() -> dict[str, Any]:
    """The JSON Schema of the evidence, of its type."""
    return json_schema(evidence_type(), _TITLE, _DESCRIPTION)


def schema_as_bytes() -> bytes:
    """The JSON Schema of the evidence, as it goes along with a report: the file of it that ships.

    Its words are docstrings, which not every Python keeps: `packaging/known_answers.py` writes the file.
    """
    return zebra_resources.read_bytes(SCHEMA_FILE)

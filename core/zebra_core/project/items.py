"""The rows of a project: what was assessed, under which condition, and whose speech it is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import Annotated, Any, ClassVar, NamedTuple, Self, TypeVar
from uuid import uuid4

from msgspec import Meta

from zebra_core.evidence.attack import StatedAttack
from zebra_core.evidence.audit import Audit, Decision, InputFile, InputState, Remark
from zebra_core.evidence.speaker_names import Sessions, sessions_as_text, sessions_of_text
from zebra_core.evidence.trials import Trials
from zebra_core.evidence.value_types import ItemId, Name, Notes
from zebra_core.intake.opening.opening import Source
from zebra_core.intake.planned import Topic
from zebra_core.metrics.assessment import Assessment, EvidenceReading, shown_tag
from zebra_core.metrics.scales import TagScale, VerbalScale
from zebra_core.metrics.similarity import VoiceSimilarity
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS, strongest_reversed_log10_lr
from zebra_core.speakers.normalisation import Normalisation
from zebra_core.uncertainty.bootstrap import OPTIMISTIC
from zebra_core.uncertainty.intervals import Interval, with_interval
from zebra_core.uncertainty.no_disclosure import FEWEST_MEMBERS, ceiling_of
from zebra_core.uncertainty.resampling import ResamplingUnit
from zebra_core.uncertainty.shown import fewer, places_below, share_of, strength_decimals, with_unit
from zebra_core.uncertainty.trust import AssessmentTrust, Trust, VoicesTrust
from zebra_core.wording.texts import as_said, in_english, say, sentence_as_said, strength

OTHER_COUNTS = "other-counts"
"""The code of the error where a project does not have what is in its files: nothing may then be said."""
Colour = Annotated[int, Meta(ge=0, le=100_000)]


class Condition(Enum):
    """Which side of the comparisons was protected: enrolment first, then test; O original, P protected."""

    OO = "OO"
    OP = "OP"
    PP = "PP"


class Attacker(Enum):
    """What the attacker knows, in the words of the VoicePrivacy evaluations; a user may say it in others."""

    IGNORANT = "ignorant"  # does not know that speech was protected
    LAZY_INFORMED = "lazy-informed"  # protects the enrolment alike, but has not trained on protected speech
    SEMI_INFORMED = "semi-informed"  # has also trained the recogniser on protected speech
    FULLY_INFORMED = "fully informed"  # knows the safeguard with all its settings and random choices


@dataclass(frozen=True, eq=False, kw_only=True)
class SafeguardLabels:
    """The labels of a safeguard. Texts are the user's, and foreign to us."""

    name: Name = field(kw_only=False)  # of the safeguard
    dataset: Name = ""  # of whose speech, "libri_f" say
    run: Name = ""  # which instance of the safeguard, where there are several

    @property
    def full_name(self) -> str:
        """The name with what it holds for: a figure is never shown without its condition."""
        return self.name_and_run

    @property
    def name_and_run(self) -> str:
        """The name, and which instance of the safeguard where there are several."""
        return f"{self.own_name} {self.run}" if self.run else self.own_name

    @property
    def own_name(self) -> str:
        """The name, in the language of the moment where it is ours: that of no protection."""
        return as_said(self.name, "name")

    @property
    def own_dataset(self) -> str:
        """The dataset as `dataset_as_said` says it."""
        return dataset_as_said(self.dataset)


@dataclass(frozen=True, eq=False, kw_only=True)
class Item(SafeguardLabels, ABC):
    """What every row of the project has, whatever came of it."""

    kind: ClassVar[str]  # the word for what it is in files: "assessment" or "similarity"

    notes: Notes = ""
    colour: Colour | None = 0  # number of its series; None for the unprotected baseline, which is grey
    is_ticked: bool = True  # in the answer, in pictures of several, and in reports
    choices: Mapping[str, str] = field(default_factory=dict)  # how its files were read, to read them again
    measured: Trust | None = None  # how far its figures can be trusted, as far as that was asked
    id: ItemId = field(default_factory=lambda: uuid4().hex)

    @property
    @abstractmethod
    def files(self) -> tuple[InputFile, ...]:
        """The files it rests on."""

    @property
    def trust(self) -> Trust | None:
        """How far its figures can be trusted; None where nobody asked, or not since they changed."""
        return self.measured if self.measured and self.measured.is_of(self.figures) else None

    @property
    def lacks_intervals(self) -> bool:
        """Whether intervals are yet to be worked out, or what normalised scores disclose."""
        return self.trust is None or not self.trust.tried_normalised

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What must be told beside its figures, then beside how far they can be trusted."""
        return (*self.figures.remarks, *(self.trust.remarks if self.trust else ()))

    @property
    @abstractmethod
    def figures(self) -> Assessment | VoiceSimilarity:
        """What came of them: other figures are another object."""

    @abstractmethod
    def with_results_of(self, other: Any) -> Self:
        """The item with the figures, and the trials, of another one of its kind; without intervals."""

    @abstractmethod
    def resting_on(
        self, files: Sequence[InputFile], remarks: Sequence[Remark], audit: Audit | None, /
    ) -> Self:
        """The item with the same figures of these files, where they lie now, and what was found in them."""

    @property
    @abstractmethod
    def n_trials(self) -> int:
        """How many trials its figures rest on."""

    @property
    def audit(self) -> Audit | None:
        """What was found in its files, with the user's decisions; None where there were none to audit."""
        return None

    @property
    @abstractmethod
    def decisions(self) -> frozenset[Decision]:
        """What the user decided about its files."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The assessments it is: itself, or none."""
        return ()

    @property
    def similarities(self) -> tuple[SimilarityEntry, ...]:
        """The similarity matrices it is: itself, or none."""
        return ()

    @property
    def settings(self) -> tuple[str, ...]:
        """The settings of which there are comparisons, each by itself: "oo", "op", "pp"; or none."""
        return ()

    @property
    def is_original(self) -> bool:
        """Whether both sides of its comparisons are unprotected speech, and nothing else."""
        return False

    def on_scales(self, _tags: TagScale, _words: VerbalScale | None) -> Self:
        """The item with its figures on other scales, as far as they have any."""
        return self

    @property
    def is_as_read(self) -> bool:
        """Whether its files are still what its figures were computed from, as far as anybody has looked."""
        return all(file.state is InputState.AS_READ for file in self.files)


@dataclass(frozen=True, eq=False, repr=False)
class Entry(Item, StatedAttack):
    """One assessment in the project: what it is called, under which condition, and what came of it."""

    kind = "assessment"

    trials: Trials | None  # None: let go, or not read since the project was opened
    assessment: Assessment
    condition: Condition | None = None  # None: the user has not said
    measured: AssessmentTrust | None = field(default=None, kw_only=True)
    given: Entry | None = field(default=None, kw_only=True, repr=False)  # whose scores are normalised here
    normalisation: Normalisation | None = field(default=None, kw_only=True)

    def __repr__(self) -> str:
        return f"<Entry: {self.full_name}>"

    @cached_property
    def readings(self) -> tuple[Entry, ...]:
        """This attack, and the same with normalised scores as far as that was tried: each a further attack.

        Their ids are this one's with the normalisation; their trials are made of these (`trials_of`).
        """
        known = self.trust.normalised if self.trust else {}
        others = (
            replace(
                self,
                trials=None,
                assessment=self._like_this(one.figures),
                measured=one,
                given=self,
                normalisation=by,
                id=f"{self.id}~{by.value}",
            )
            for by, one in known.items()
        )
        return (self, *others)

    def _like_this(self, found: Assessment) -> Assessment:
        """The figures of normalised scores, of these files, on these scales, at this prior."""
        known = self.assessment
        found = found.on_scales(known.settings.tag_scale, known.settings.verbal_scale)
        found = found.at_prior(known.settings.prior_one_in)
        return replace(found, files=known.files, remarks_on_files=known.remarks_on_files, audit=known.audit)

    @property
    def as_given(self) -> Entry:
        """The assessment of the scores as they are given: itself, unless these are normalised."""
        return self.given or self

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Itself."""
        return (self,)

    @property
    def is_original(self) -> bool:
        """Whether nobody's speech was protected."""
        return self.condition is Condition.OO

    @property
    def sessions(self) -> Sessions | None:
        """In which session each recording was made; None where nobody has said. Raises InputError."""
        said = [text for name, text in self.choices.items() if name.partition(":")[0] == Topic.SESSIONS.value]
        return sessions_of_text(said[0]) if said else None

    def in_sessions(self, sessions: Sessions | None) -> Entry:
        """The entry with these sessions, or with none; what single people disclose is not known any more."""
        about = [Source(file.path, file.member).place for file in self.files[:1]]
        name = ":".join((Topic.SESSIONS.value, *about))
        measured = self.measured and replace(self.measured, people=None)
        choices = {each: text for each, text in self.choices.items() if each != name}
        if sessions is not None:
            choices[name] = sessions_as_text(sessions)
        return replace(self, choices=choices, measured=measured)

    @property
    def is_one_kind(self) -> bool:
        """Whether both sides are one kind of speech, original or protected, as is stated."""
        return self.condition in (Condition.OO, Condition.PP)

    @property
    def decisions(self) -> frozenset[Decision]:
        """What the user decided about its files."""
        return frozenset(self.audit.decisions if self.audit else ())

    @property
    def speech(self) -> SpeechKey:
        """The speech that an attacker hears in the test segments: protected, unless the condition is OO."""
        return SpeechKey.of(self, is_protected=self.condition is not Condition.OO)

    @property
    def full_name(self) -> str:
        """The name with its condition, which is said even where nobody stated it, and its attacker."""
        name = super().full_name
        name = (
            f"{name} {self.condition.value}"
            if self.condition
            else say("name.condition-not-stated", name=name)
        )
        attack = self.attack_in_words
        return say("name.with-attacker", name=name, attacker=attack) if attack else name

    @property
    def attack_in_words(self) -> str:
        """The attack in words, as `attack_as_said` says it, with how its scores are normalised."""
        how = say(f"name.normalised-{self.normalisation.value}") if self.normalisation else ""
        return ", ".join(filter(None, (attack_as_said(self.attack), how)))

    def with_results_of(self, other: Entry) -> Entry:
        """The entry with the trials and the assessment of another, without intervals."""
        return replace(self, trials=other.trials, assessment=other.assessment, measured=None)

    def resting_on(
        self, files: Sequence[InputFile], remarks: Sequence[Remark], audit: Audit | None, /
    ) -> Entry:
        """The entry of these files; its trials, where it has them, are theirs, too."""
        there = tuple(files)
        trials = self.trials and replace(self.trials, files=there, audit=audit)
        known = replace(self.assessment, files=there, remarks_on_files=tuple(remarks), audit=audit)
        return replace(self, trials=trials, assessment=known)

    def on_scales(self, tags: TagScale, words: VerbalScale | None) -> Entry:
        """The entry with its tag on other scales."""
        found = self.assessment.on_scales(tags, words)
        return self if found is self.assessment else replace(self, assessment=found)

    def at_prior(self, one_in: int) -> Entry:
        """The entry with decisions judged at a prior of 1 in `one_in`, from 2 on."""
        found = self.assessment.at_prior(one_in)
        return self if found is self.assessment else replace(self, assessment=found)

    @property
    def trust(self) -> AssessmentTrust | None:
        """How far its figures can be trusted; None where nobody asked, or not since they changed."""
        return self.measured if super().trust else None

    @property
    def audit(self) -> Audit | None:
        """What was found in its files, with the user's decisions; None for trials that came from no files."""
        return self.assessment.audit

    @property
    def files(self) -> tuple[InputFile, ...]:
        """The files that its figures rest on."""
        return self.assessment.files

    @property
    def figures(self) -> Assessment:
        """The assessment."""
        return self.assessment

    @property
    def n_speakers(self) -> int | None:
        """How many speakers take part; None where nobody knows yet."""
        if self.trust is not None:
            found = self.trust.uncertainty
            return found.n_clusters if found.unit is ResamplingUnit.SPEAKER else None
        return self.audit.speakers if self.audit else None

    @property
    def n_trials(self) -> int:
        """The number of target and nontarget trials."""
        return self.assessment.n_target + self.assessment.n_nontarget


@dataclass(frozen=True, eq=False)
class SimilarityEntry(Item):
    """The similarity matrices of one safeguard on one dataset."""

    kind = "similarity"

    similarity: VoiceSimilarity
    allowed: frozenset[Decision] = frozenset()  # what the user decided about its scores
    measured: VoicesTrust | None = field(default=None, kw_only=True)

    @property
    def trust(self) -> VoicesTrust | None:
        """How far its figures can be trusted; None where nobody asked, or not since they changed."""
        return self.measured if super().trust else None

    @property
    def similarities(self) -> tuple[SimilarityEntry, ...]:
        """Itself."""
        return (self,)

    @property
    def settings(self) -> tuple[str, ...]:
        """Those of which it has a matrix."""
        return tuple(self.similarity.matrices)

    @property
    def decisions(self) -> frozenset[Decision]:
        """What the user decided about its scores."""
        return self.allowed

    def with_results_of(self, other: SimilarityEntry) -> SimilarityEntry:
        """The entry with the matrices of another, without intervals."""
        return replace(self, similarity=other.similarity, measured=None)

    def resting_on(
        self, files: Sequence[InputFile], remarks: Sequence[Remark], _audit: Audit | None, /
    ) -> SimilarityEntry:
        """The entry of these files; matrices have no audit."""
        voices = replace(self.similarity, files=tuple(files), remarks_on_files=tuple(remarks))
        return replace(self, similarity=voices)

    @property
    def files(self) -> tuple[InputFile, ...]:
        """The files of segment scores, and the map of speakers where there is one."""
        return self.similarity.files

    @property
    def figures(self) -> VoiceSimilarity:
        """The similarity matrices with their figures."""
        return self.similarity

    @property
    def n_trials(self) -> int:
        """The number of pairs of segments in all settings."""
        return sum(matrix.n_target + matrix.n_nontarget for matrix in self.similarity.matrices.values())


WITHOUT_NETWORK = {in_english(f"attack.{code}"): code for code in ("words", "pitch", "together")}
"""Recognisers that are no network, with their codes: what is said, how high a voice is, and all together."""


def may_be_alike(one: str, other: str) -> bool:
    """Whether two recognisers may be the same: one that is not stated may be any network."""
    if one in WITHOUT_NETWORK or other in WITHOUT_NETWORK:
        return one == other
    return not one or not other or one == other


class SpeechKey(NamedTuple):
    """The key of speech: its dataset, safeguard and run.

    Unprotected speech is the same whatever it is compared with: its safeguard and run are empty.
    """

    dataset: Name
    safeguard: Name = ""
    run: Name = ""

    @classmethod
    def of(cls, item: Item, *, is_protected: bool) -> SpeechKey:
        """The speech that an item of the project is about."""
        return cls(item.dataset, item.name, item.run) if is_protected else cls(item.dataset)


def dataset_as_said(dataset: str) -> str:
    """The name of a dataset, in the language of the moment where it is a question to listeners."""
    return as_said(dataset, "listening")


def attack_as_said(attack: str) -> str:
    """What `Entry.attack` says, in the language of the moment where its words are not the user's."""
    return ", ".join(sentence_as_said(words, "attack") for words in attack.split(", "))


def distinct_names(items: Sequence[SafeguardLabels]) -> list[str]:
    """The full names of items, after their dataset where there are several datasets."""
    if len({item.dataset for item in items}) < 2:
        return [item.full_name for item in items]
    return [name_with_dataset(item) for item in items]


def name_with_dataset(item: SafeguardLabels) -> str:
    """The full name of an item, after its dataset where that is stated."""
    if not item.dataset:
        return item.full_name
    return say("name.of-dataset", name=item.full_name, dataset=item.own_dataset)


# On which basis optimistic figures stand: corrected for small sets, or as computed, one for each dataset.
#
# Figures that stand side by side must be comparable. What adapting to a small set adds can be corrected only
# where the assessment bears it (`FigureDraws.bears_correction`), so all assessments of the same speakers are
# corrected, or none is.


_Placed = TypeVar("_Placed", bound=Item)


def on_one_basis(items: Sequence[Item]) -> tuple[Item, ...]:
    """The items, with every figure of a dataset on one basis; those that stay on theirs are the same objects.

    A figure is corrected where its draws are known of all assessments of the dataset, and all bear it.
    """
    by_dataset: dict[str, list[Entry]] = {}
    for item in items:
        for entry in item.entries:
            by_dataset.setdefault(entry.dataset, []).append(entry)
    plain = {dataset: _as_computed(entries) for dataset, entries in by_dataset.items()}
    return tuple(_placed(item, plain.get(item.dataset, frozenset())) for item in items)


def of_one_picture(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries of one axis, whatever their datasets, with every figure on one basis.

    A figure is corrected where it stands corrected in the dataset of each.
    """
    known = any(entry.measured is not None for entry in entries)
    plain = frozenset(figure for figure in OPTIMISTIC if known and not is_corrected(entries, figure))
    return tuple(_placed(entry, plain) for entry in entries)


def is_corrected(entries: Sequence[Entry], figure: str = "d_ece_bits") -> bool:
    """Whether a figure stands without the optimism of small sets in all of these; none of none."""
    return bool(entries) and all(
        entry.trust is not None and entry.trust.uncertainty.is_corrected(figure) for entry in entries
    )


def basis_in_words(entries: Sequence[Entry], figure: str = "d_ece_bits") -> str:
    """On which basis the figure stands in these, for an axis or a head: "corrected for small sets"."""
    return say("headline.corrected" if is_corrected(entries, figure) else "headline.as-computed")


def _as_computed(entries: Sequence[Entry]) -> frozenset[str]:
    """The figures that are not corrected in this dataset."""
    if all(entry.measured is None for entry in entries):
        return frozenset()  # nobody asked
    return frozenset(
        figure
        for figure in OPTIMISTIC
        if not all(
            entry.trust is not None and figure in entry.trust.uncertainty.bear_correction for entry in entries
        )
    )


def _placed(item: _Placed, plain: frozenset[str]) -> _Placed:
    for entry in item.entries:  # matrices have no optimistic figures
        if entry.measured is not None and (found := _led(entry.measured, plain)) is not entry.measured:
            return replace(item, measured=found)
    return item


def _led(trust: AssessmentTrust, plain: frozenset[str]) -> AssessmentTrust:
    """The trust with these figures as computed, and so those of normalised scores."""
    found = trust.uncertainty.leading_as_computed(plain)
    others = {by: _led(one, plain) for by, one in trust.normalised.items()}
    if found is trust.uncertainty and all(others[by] is one for by, one in trust.normalised.items()):
        return trust
    return replace(trust, uncertainty=found, normalised=others)


# An assessment at a glance: what it discloses on average and at worst, what both are compared with, and
# whether such a set says anything.


FEWEST_TRIALS = 10
"""Of each class: with fewer an error rate of one in four is not excluded (95 %), though no error was seen."""
_DUST = 1e-9


@dataclass(frozen=True)
class Population:
    """D_ECE in bits: what is shown, its interval, and what one set in twenty without disclosure goes beyond.

    `bits` stands on the basis of its dataset, see `on_one_basis`: `is_corrected` for small sets, or as
    computed. `reading` is the one by which the scores disclose most, `by_reading_bits` what they disclose by
    it; for the reading that was given these are the same.
    """

    bits: float
    interval: Interval | None
    level: float | None  # of the interval
    by_chance_bits: float | None  # None where nobody knows
    reading: EvidenceReading
    by_reading_bits: float
    n: int  # trials of the rarer class, by which figures without an interval are rounded
    is_corrected: bool = False  # for small sets; else `bits` are as computed

    @classmethod
    def of(cls, entry: Entry) -> Population:
        """The population disclosure of an entry."""
        found, trust = entry.assessment, entry.trust
        bits = trust.uncertainty.shown("d_ece_bits") if trust else found.d_ece_bits
        return cls(
            bits,
            trust.uncertainty.interval("d_ece_bits") if trust else None,
            trust.uncertainty.settings.level if trust else None,
            trust.one_in_twenty("d_ece_bits") if trust else None,
            found.reading,
            bits if found.reading is EvidenceReading.GIVEN else found.disclosed_by_reading_bits,
            fewer(found),
            is_corrected([entry]),
        )

    @property
    def in_words(self) -> str:
        """The figure by the given reading, with its interval where there is one: "0.21 ± 0.04 bit"."""
        if self.interval is None:
            return with_unit("d_ece_bits", self.bits, self.n)
        return with_interval("d_ece_bits", self.bits, self.interval)

    @property
    def lead_in_words(self) -> str:
        """The figure by the reading that discloses most: the smaller one alone would mislead."""
        if self.reading is EvidenceReading.GIVEN:
            return self.in_words
        return with_unit("d_ece_bits", self.by_reading_bits, self.n)

    @property
    def share_in_words(self) -> str:
        """The figure by the given reading as a share of full disclosure, with the digits of its interval."""
        return share_of(FULL_DISCLOSURE_BITS, self.bits, self.n, self.interval)

    @property
    def lead_share_in_words(self) -> str:
        """The figure by the reading that discloses most as a share of full disclosure."""
        if self.reading is EvidenceReading.GIVEN:
            return self.share_in_words
        return share_of(FULL_DISCLOSURE_BITS, self.by_reading_bits, self.n)


@dataclass(frozen=True)
class Individual:
    """The worst case as a signed base-10 LLR, and the most that so many trials can show in both directions.

    `given_log10_lr` is that of the given reading where reversed scores disclose more, whose worst case leads;
    else None. `by_chance` is what one set in twenty without disclosure goes beyond, None where nobody knows.
    """

    log10_lr: float
    tag: str
    ceiling_log10_lr: float  # in the direction of the worst case, signed
    other_ceiling_log10_lr: float  # in the other direction
    by_chance_log10_lr: float | None
    given_log10_lr: float | None = None
    decimals: int = 1  # that it bears

    @classmethod
    def of(cls, entry: Entry) -> Individual:
        """The individual disclosure of an entry."""
        found, trust = entry.assessment, entry.trust
        is_reversed = found.reading is EvidenceReading.REVERSED
        worst = strongest_reversed_log10_lr(found.counts) if is_reversed else found.strongest_log10_lr
        ceiling, other = _ceilings(found, worst)
        return cls(
            worst,
            found.reading_tag,
            ceiling,
            other,
            trust.one_in_twenty("worst_case_log10_lr") if trust else None,
            found.strongest_log10_lr if is_reversed else None,
            places_below(worst, ceiling) if is_reversed else strength_decimals(found, trust),
        )

    @property
    def in_words(self) -> str:
        """The absolute value, with the digits that it bears."""
        return strength(abs(self.log10_lr), self.decimals)

    @property
    def signed_in_words(self) -> str:
        """The value with its sign, which is − for evidence for two different speakers."""
        return strength(self.log10_lr, self.decimals)


def says_nothing(entry: Entry) -> bool:
    """Whether the figures say nothing, for the set is too small, or its scores do not differ.

    So it is with fewer than `FEWEST_TRIALS` of a class, with fewer than `FEWEST_MEMBERS` speakers, where one
    in twenty sets without disclosure shows the most that these data can show at all, and of constant scores.
    """
    return bool(says_nothing_in_words(entry))


def says_nothing_in_words(entry: Entry) -> str:
    """That the figures say nothing, and why; empty where they do."""
    found, speakers = entry.assessment, entry.n_speakers
    if found.all_scores_equal:
        return say("ceiling.all-equal")
    counts = {"count": entry.n_trials, "targets": found.n_target, "nontargets": found.n_nontarget}
    if fewer(found) < FEWEST_TRIALS:
        return say("ceiling.too-small", fewest=FEWEST_TRIALS, **counts)
    if speakers is not None and speakers < FEWEST_MEMBERS:
        return say("ceiling.too-small-speakers", count=speakers, fewest=FEWEST_MEMBERS)
    null = entry.trust.null if entry.trust else None
    if null is None or not null.exchange.has_p_value:
        return ""
    is_as_high = null.one_in_twenty("worst_case_log10_lr") >= found.worst_case_ceiling_log10_lr - _DUST
    return say("ceiling.too-small-chance", **counts) if is_as_high else ""


def tag_is_open(entry: Entry) -> bool:
    """Whether the tag is a bound at most: the set is too small, or a worse tag could not have been seen."""
    return says_nothing(entry) or _is_lower_bound(entry)


def tag_in_words(entry: Entry) -> str:
    """The tag: "≥ A" where a worse one could not have been seen, "A?" in sets that are too small."""
    tag = shown_tag(entry.assessment)
    tag = f"≥ {tag}" if _is_lower_bound(entry) else tag
    return f"{tag}?" if says_nothing(entry) else tag


def _is_lower_bound(entry: Entry) -> bool:
    """Whether the worst case is at the ceiling of these data, and there is a worse tag."""
    found = entry.assessment
    is_last = found.tag == found.settings.tag_scale.tags[-1].letter
    return found.reading is EvidenceReading.GIVEN and not is_last and ceiling_of(found).is_reached


def _ceilings(found: Assessment, worst_log10_lr: float) -> tuple[float, float]:
    against, for_ = found.ceilings_log10_lr
    return (for_, against) if worst_log10_lr >= 0.0 else (against, for_)

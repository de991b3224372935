"""What came of verifying a report: every check with its outcome, and all of them in a sentence."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from zebra_core.wording.texts import dated, listed, moment, quoted, say, visible

# What is told of one signature: by whom, when, whether it holds, trusted by what, altered since.


@dataclass(frozen=True)
class Signature:
    """One signature; texts in it are those of its certificate, and claimed."""

    name: str = ""
    claimed: dt.datetime | None = None
    reason: str = ""
    record: str = (
        ""  # what the program wrote below the reason: its version, what was signed, what it replaces
    )
    fingerprint: str = ""  # SHA-256 of the certificate, in hexadecimal
    is_known: bool = True  # of a kind that can be checked
    is_intact: bool = False  # what it covers is what was signed
    altered: tuple[str, ...] = ()  # what was altered after it
    trusted_by: str = ""  # the certificate that the user named
    is_trust_asked: bool = False
    is_self_made: bool = False
    is_trial: bool = False
    is_expired: bool = False  # at the claimed time
    is_ahead: bool = False  # the claimed time has not come yet
    expired_since: dt.date | None = None  # the day after which it was no longer valid; None: it still is
    is_for_signing: bool = True

    @property
    def is_sound(self) -> bool:
        """Whether nothing is against it; where trusted certificates are named, one vouches for it."""
        holds = self.is_known and self.is_intact and not self.altered
        fits = self.is_for_signing and not self.is_expired and not self.is_ahead
        return holds and fits and (bool(self.trusted_by) or not self.is_trust_asked)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is told of it: first whether it is intact and by whom."""
        if not self.is_known:
            return (say("signature.unknown-kind"),)
        name = quoted(visible(self.name, 200))  # in marks: it can be whole sentences like ours
        sentences = [say("signature.intact" if self.is_intact else "signature.broken", name=name)]
        if self.claimed:
            sentences.append(say("signature.claimed", when=moment(self.claimed.astimezone(dt.UTC))))
        if self.reason:
            sentences.append(say("signature.reason", reason=self.reason))
        if self.record:
            sentences.append(say("signature.record", record=quoted(visible(self.record, 600))))
        if self.altered:
            sentences.append(say("signature.altered", what=listed(self.altered, most=len(self.altered))))
        if self.is_trial:
            sentences.append(say("signature.is-trial"))
        elif self.is_self_made:
            sentences.append(say("signature.is-self-made"))
        amiss = {"ahead": self.is_ahead, "expired": self.is_expired}
        sentences += [say(f"signature.{code}") for code, is_so in amiss.items() if is_so]
        if self.expired_since:
            sentences.append(say("signature.expired-since", day=dated(self.expired_since)))
        if not self.is_for_signing:
            sentences.append(say("signature.not-for-signing"))
        sentences.append(self._trust())
        return tuple(sentences)

    def _trust(self) -> str:
        if self.trusted_by:
            return say("signature.trusted", name=self.trusted_by)
        return say("signature.not-trusted" if self.is_trust_asked else "signature.trust-not-asked")

    def as_json(self) -> dict[str, object]:
        """Plain values; `sound` sums them up."""
        return {
            "name": self.name,
            "claimed_time": self.claimed.astimezone(dt.UTC).isoformat() if self.claimed else None,
            "reason": self.reason,
            "record": self.record,
            "certificate_sha256": self.fingerprint,
            "known_kind": self.is_known,
            "intact": self.is_intact,
            "altered_after": list(self.altered),
            "trusted_by": self.trusted_by or None,
            "self_made": self.is_self_made,
            "for_trials": self.is_trial,
            "expired_when_signed": self.is_expired,
            "for_signing": self.is_for_signing,
            "sound": self.is_sound,
        }


class VerificationStatus(Enum):
    """What came of one figure."""

    VERIFIED = "verified"
    DIFFERS = "differs"
    FILE_MISSING = "file-missing"
    FILE_CHANGED = "file-changed"
    FILE_REPLACED = "file-replaced"  # another file is in its place; its bytes were found elsewhere
    NOT_POSSIBLE = "not-possible"  # the files are there, but nothing can be computed of them again
    NOT_COMPARED = "not-compared"  # pages of another version, font or engine, or without their files

    def __str__(self) -> str:
        """In words."""
        return say(f"verify.{self.value}")


@dataclass(frozen=True)
class PageDifference:
    """What differs of a page, as PNG: as it is printed, and as it was made again."""

    there: bytes
    again: bytes


@dataclass(frozen=True)
class VerificationLine:
    """One figure, file or page: whose it is, what it is, what the report says, and what was found."""

    about: str
    what: str
    status: VerificationStatus
    recorded: str = ""
    found: str = ""
    left_packed: str = ""  # the file for which it is not possible: it packs better than files of scores do
    looks: PageDifference | None = None  # of a page that differs
    is_sentence: bool = False  # what was found is no value, but a sentence

    @property
    def has_reason(self) -> bool:
        """Whether what was found is no value, but a sentence: what is wrong, or why nothing was found."""
        left_out = (VerificationStatus.NOT_POSSIBLE, VerificationStatus.NOT_COMPARED)
        return bool(self.found) and (self.is_sentence or self.status in left_out)


@dataclass(frozen=True)
class ProvenanceChecks:
    """What was checked of recordings, and how far back the chain of evidence was followed, in sentences."""

    checked: tuple[VerificationLine, ...] = ()
    chain: tuple[str, ...] = ()
    is_whole: bool = True
    needs_model: bool = False  # scores came from a recogniser that does not come along


@dataclass(frozen=True)
class NotCovered:
    """What is stated and nobody can compute, and what departs from the usual report, in a few words each."""

    stated: tuple[str, ...] = ()
    departures: tuple[str, ...] = ()

    @property
    def departing(self) -> str:
        """Where it departs from the usual report, in a sentence; empty where it does not."""
        return say("verify.departs", what=all_of(self.departures)) if self.departures else ""

    def stating(self, *more: str) -> str:
        """What is stated, in a sentence, with what else nobody has checked."""
        return say("verify.as-stated", what=all_of(words)) if (words := (*self.stated, *more)) else ""


def all_of(words: Sequence[str]) -> str:
    """All of these words, none of them cut or left out."""
    return listed(words, len(words), max(map(len, words)))


@dataclass(frozen=True, eq=False)
class Verification:
    """Everything that was checked: the attachment, then the files, then the figures of each assessment."""

    title: str
    checked: tuple[VerificationLine, ...]
    has_pages: bool = False  # it is a PDF: evidence alone has no pages
    signatures: tuple[Signature, ...] | None = ()  # of a PDF; None where this installation cannot check any
    chain: tuple[str, ...] = ()  # how far it was followed back, where scores were made from recordings
    reaches_recordings: bool = True  # as far as there are any
    needs_model: bool = False  # the scores of some came from a recogniser that does not come along
    namesakes: tuple[str, ...] = ()  # sentences on other files of the names of those that were found
    not_covered: NotCovered = field(default_factory=NotCovered)

    @property
    def is_verified(self) -> bool:
        """Whether all of it is, and no signature is broken or unfit; something must have been checked."""
        return self._is_all_verified and self._are_signatures_sound

    @property
    def _is_all_verified(self) -> bool:
        return bool(self.checked) and all(one.status is VerificationStatus.VERIFIED for one in self.checked)

    @property
    def _are_signatures_sound(self) -> bool:
        return all(one.is_sound for one in self.signatures or ())

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is told beside the lines: of files of the same names, the chain of evidence, signatures."""
        return (*self.namesakes, *self.chain, *self.about_signatures)

    @property
    def about_signatures(self) -> tuple[str, ...]:
        """What is told of the signatures of a PDF, one sentence or more for each."""
        if not self.has_pages:
            return ()
        if not self.signatures:
            return (say("signature.not-here" if self.signatures is None else "signature.unsigned"),)
        return tuple(
            say("signature.number", number=number, told=" ".join(one.sentences))
            for number, one in enumerate(self.signatures, start=1)
        )

    @property
    def left_packed(self) -> tuple[str, ...]:
        """The files that were not unpacked because nobody allowed it, as far as it came to them."""
        return tuple(dict.fromkeys(one.left_packed for one in self.checked if one.left_packed))

    @property
    def summary(self) -> str:
        """The outcome in a sentence, what of the report it does not cover, and where that is not as usual."""
        unsigned = [say("stated.unsigned")] if self.has_pages and self.signatures == () else []
        stated = self.not_covered.stating(*unsigned)
        return " ".join(filter(None, (self._outcome, stated, self.not_covered.departing)))

    @property
    def _outcome(self) -> str:
        if self.is_verified:
            return say("verify.all-pages" if self.has_pages else "verify.all", count=len(self.checked))
        if self._is_all_verified:
            return say("verify.signature-unsound")
        counts = {status: sum(one.status is status for one in self.checked) for status in VerificationStatus}
        parts = [say(f"verify.count-{status.value}", count=n) for status, n in counts.items() if n]
        return say("verify.not-all", counts=", ".join(parts))

    def as_json(self) -> dict[str, object]:
        """Plain values, in the order in which they were checked."""
        return {
            "title": self.title,
            "verified": self.is_verified,
            "outcome": self.summary,
            "as_stated": list(self.not_covered.stated),
            "departures": list(self.not_covered.departures),
            "chain": list(self.chain),
            **({"namesakes": list(self.namesakes)} if self.namesakes else {}),
            "signatures": [one.as_json() for one in self.signatures] if self.signatures is not None else None,
            "checked": [
                {
                    "about": one.about,
                    "what": one.what,
                    "status": one.status.value,
                    "recorded": one.recorded,
                    "found": one.found,
                }
                for one in self.checked
            ],
        }

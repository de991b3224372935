"""What is told of one signature: by whom, when, whether it holds, trusted by what, altered since."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from zebra_core.wording.names import listed
from zebra_core.wording.texts import dated, moment, quoted, say, visible


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

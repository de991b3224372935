"""What a report must state before it is more than a draft."""

from __future__ import annotations

from collections.abc import Sequence

from zebra_core.project.items import Condition, Entry
from zebra_core.report.content.frame import Frame
from zebra_core.wording.names import in_sentence
from zebra_core.wording.texts import say

_TEXTS = ("author", "requester", "question", "relevance")


def missing(frame: Frame, author: str = "") -> tuple[str, ...]:
    """What is not stated, in words; nothing where the report is no draft. `author` is one given beside it."""
    stated = {name: getattr(frame.settings, name) for name in _TEXTS}
    stated["author"] = author or stated["author"]
    sentences = [say(f"draft.{name}") for name, text in stated.items() if not text.strip()]
    if unknown := _without_attacker(frame.entries):
        sentences.append(
            say("draft.attacker", names=in_sentence([frame.names[entry.id] for entry in unknown]))
        )
    return tuple(sentences)


def _without_attacker(entries: Sequence[Entry]) -> list[Entry]:
    """Assessments of protected speech of which nobody has said what the attacker knows."""
    return [entry for entry in entries if entry.condition is not Condition.OO and not entry.attacker.strip()]

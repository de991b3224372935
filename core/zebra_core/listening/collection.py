"""Listeners' files joined with the plan: whose answers are used, and a sentence for each file that is not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from zebra_core.errors import InputError, ZebraError
from zebra_core.listening.answers import ItemAnswer, ListenerAnswers, read_answers
from zebra_core.listening.design import heard_again
from zebra_core.listening.items import ListeningItem
from zebra_core.listening.plan import ListenerPlan, ListeningPlan, as_heard, names_of
from zebra_core.wording.names import listed
from zebra_core.wording.texts import kept, say


@dataclass(frozen=True)
class ListenerRecord:
    """One listener: what was planned, and what was answered."""

    plan: ListenerPlan
    answers: ListenerAnswers
    path: Path

    @property
    def code(self) -> str:
        """The code of the listener; nobody's name is known."""
        return self.plan.code

    @property
    def answered(self) -> list[tuple[ListeningItem, ItemAnswer]]:
        """The items with their answers, in the order of the plan."""
        of = self.answers.of
        return [(item, of[item.id]) for item in self.plan.items if item.id in of]

    @property
    def item(self) -> dict[str, ListeningItem]:
        """The items by their ids."""
        return {item.id: item for item in self.plan.items}


@dataclass(frozen=True)
class CollectedAnswers:
    """All listeners whose answers can be used, in the order of the plan, and what is to be told."""

    listeners: tuple[ListenerRecord, ...]
    faults: tuple[str, ...]  # files that are left out, and why
    sentences: tuple[str, ...]  # what is missing in those that are used


def gather_answers(plan: ListeningPlan, paths: Sequence[Path]) -> CollectedAnswers:
    """Read the answers; a file of another test, one that was altered, and two of a listener are left out."""
    faults: list[str] = []
    found: dict[str, list[ListenerRecord]] = defaultdict(list)
    for path in paths:
        try:
            one = _read(plan, path)
        except ZebraError as error:
            faults.append(str(error))
            continue
        if all(one.answers.sha256 != other.answers.sha256 for other in found[one.code]):
            found[one.code].append(one)
    for code, several in found.items():
        if len(several) > 1:
            names = listed([one.path.name for one in several])
            faults.append(say("listening.answered-twice", listener=code, names=names))
    used = tuple(found[one.code][0] for one in plan.listeners if len(found[one.code]) == 1)
    return CollectedAnswers(used, tuple(faults), tuple(_remarks_on_answers(plan, used)))


def _read(plan: ListeningPlan, path: Path) -> ListenerRecord:
    head = read_answers(path)
    listener = plan.of(head.listener) if head.test == plan.id else None
    if listener is None:
        raise InputError("listening-not-of-plan", file=path.name)
    if head.package_sha256 != listener.package_sha256:
        raise InputError("listening-other-package", file=path.name)
    names = names_of(listener.items)
    return ListenerRecord(
        listener, read_answers(path, [as_heard(item, names) for item in listener.items]), path
    )


def _remarks_on_answers(plan: ListeningPlan, used: Sequence[ListenerRecord]) -> list[str]:
    sentences = []
    if missing := len(plan.listeners) - len(used):
        sentences.append(kept("listening.missing", count=missing, of=len(plan.listeners)))
    again, times = heard_again(plan.listeners[0].items)
    if again:
        sentences.append(kept("listening.heard-again", count=again, most=times))
    for one in used:
        if left := len(one.plan.items) - len(one.answers.of):
            sentences.append(
                kept("listening.unfinished", listener=one.code, count=left, of=len(one.plan.items))
            )
        if elsewhere := sum(answer.elsewhere for _item, answer in one.answered):
            sentences.append(
                kept("listening.elsewhere", listener=one.code, count=elsewhere, of=len(one.answered))
            )
        if one.answers.torn:
            sentences.append(kept("listening.torn", file=one.path.name))
    return sentences

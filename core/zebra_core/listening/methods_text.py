"""How a test was made and what came of it, in sentences, as studies of listening are reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from zebra_core.listening.evaluation import Agreement, Evaluation, PanelResult, RatingResult
from zebra_core.listening.items import ItemPurpose, ItemTask, ListeningItem
from zebra_core.wording.names import listed
from zebra_core.wording.texts import say, sentence_as_said, written


def account(found: Evaluation) -> str:
    """Plain text: the test, the listeners, what they were asked, what they found, and how far they agree."""
    plan = found.plan
    parts = [
        [say("account.title", title=plan.title or say("account.untitled")), say("account.id", id=plan.id)],
        [
            say("account.listeners", count=len(found.used), planned=len(plan.listeners)),
            *([say("account.left-out", codes=", ".join(found.left_out))] if found.left_out else []),
            say("account.safeguards", names=listed([_named(name) for name in plan.safeguards])),
            say("account.design", seed=plan.seed),
            say("account.introduction", sha256=plan.introduction_sha256),
            say("account.consent", sha256=plan.consent_sha256),
        ],
        list(_asked(plan.listeners[0].items)),
        list(_listeners(found)),
        [line for one in (*found.panels, *found.machine) for line in _panel(one)],
        [line for one in found.ratings for line in _rating(one)],
        [
            say(
                "account.intervals",
                level=round(100 * found.settings.level),
                replicates=found.settings.replicates,
                seed=found.settings.seed,
            ),
            *found.gathered.faults,
            *(sentence_as_said(one, "listening") for one in found.sentences),
        ],
    ]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _asked(items: tuple[ListeningItem, ...]) -> Iterator[str]:
    counts = Counter((item.question, item.kind) for item in items)
    for asked in dict.fromkeys(item.question for item in items):
        kinds = {kind.value: counts[asked, kind] for kind in ItemPurpose}
        yield say("account.question", question=_question(asked), **kinds)


def _listeners(found: Evaluation) -> Iterator[str]:
    for code, of in found.reliability.items():
        for asked, one in of.items():
            facts = {"listener": code, "question": _question(asked), "passed": one.passed}
            if one.anchors:
                yield say("account.anchors", **facts, count=one.anchors)
            if one.consistency is not None:
                shown = written(one.consistency, ".2f").replace("-", "−")
                yield say(f"account.repeats-{_kind(asked)}", **facts, count=one.repeats, value=shown)


def _panel(one: PanelResult) -> Iterator[str]:
    panel = one.panel
    facts: dict[str, object] = {
        "question": _question(panel.question),
        "safeguard": _named(panel.safeguard),
        "targets": int(panel.is_target.sum()),
        "nontargets": int((~panel.is_target).sum()),
    }
    by = "machine" if panel.is_by_machine else "panel"
    if one.figures is None:
        yield say(f"account.{by}-too-few", **facts)
        return
    d_ece = one.figures["d_ece_bits"]
    ends = {"low": written(d_ece.interval.low, ".3f"), "high": written(d_ece.interval.high, ".3f")}
    figures = {"value": written(d_ece.value, ".3f"), "shown": written(d_ece.shown, ".3f"), **ends}
    yield say(f"account.{by}", **facts, **figures, eer=written(100 * one.figures["rocch_eer"].value, ".1f"))
    yield from _agreement(one.agreement)


def _rating(one: RatingResult) -> Iterator[str]:
    for mean in one.means:
        facts: dict[str, object] = {"question": _question(one.rated.question), "count": mean.recordings}
        facts |= {"safeguard": _named(mean.safeguard), "mean": written(mean.mean, ".2f")}
        if mean.interval is None:
            yield say("account.mean", **facts)
        else:
            ends = {"low": written(mean.interval.low, ".2f"), "high": written(mean.interval.high, ".2f")}
            yield say("account.mean-between", **facts, **ends)
    yield from _agreement(one.agreement)


def _agreement(one: Agreement) -> Iterator[str]:
    if one.alpha is not None:
        yield say("account.alpha", value=_signed(one.alpha))
    if one.single is not None and one.mean is not None:
        yield say("account.icc", single=_signed(one.single), mean=_signed(one.mean))


def _signed(value: float) -> str:
    return written(value, ".2f").replace("-", "−")


def _question(asked: ItemTask) -> str:
    return say(f"listening.{asked.value}")


def _kind(asked: ItemTask) -> str:
    return "rating" if asked.is_rating else asked.value


def _named(safeguard: str) -> str:
    return safeguard or say("name.unprotected")

"""The outcome of a test as files: scores and keys in the folders of the challenge, ratings, and all figures.

Listeners are attackers: the panel, and each listener alone. Each has a folder for every safeguard, with a key
of its own, because not everybody hears every trial.

How a test was made and what came of it, in sentences, as studies of listening are reported.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from zebra_core.errors import OutputError
from zebra_core.files.access import folder_of, make_folder, write_files
from zebra_core.listening.evaluation import Agreement, Evaluation, PanelResult, RatingResult
from zebra_core.listening.items import UNPROTECTED, UNPROTECTED_FOLDER, ItemPurpose, ItemTask, ListeningItem
from zebra_core.listening.scores import Panel
from zebra_core.wording.texts import listed, say, sentence_as_said, written

OUTCOME, ACCOUNT = "listening.json", "listening.txt"
PANEL, MACHINE = "panel", "machine"
_SETS = {ItemTask.SAME: "pairs", ItemTask.PLACEMENT: "canvases"}
_BACK_ENDS = {ItemTask.SAME: "confidence_out", ItemTask.PLACEMENT: "placement_out"}


def write_outcome(found: Evaluation, out: Path, *, overwrite: bool = False) -> list[Path]:
    """Write everything. Raises OutputError."""
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not overwrite)):
        raise OutputError("exists", file=out.name, folder=folder_of(out))
    files: dict[Path, bytes] = {
        out / ACCOUNT: account(found).encode(),
        out / OUTCOME: (json.dumps(found.as_json(), ensure_ascii=False, indent=1) + "\n").encode(),
    }
    for one in found.panels:
        files |= _scores(found, one.panel, PANEL, out)
        for listener in one.panel.listeners:
            alone = one.panel.of(listener)
            if alone is not None and alone.is_target.any() and not alone.is_target.all():
                files |= _scores(found, alone, listener, out)
    for one in found.machine:
        files |= _scores(found, one.panel, MACHINE, out)
    for rating in found.ratings:
        files |= _ratings(rating, out)
    for path in files:
        make_folder(path.parent)
    return write_files(files, overwrite=overwrite)


def _scores(found: Evaluation, panel: Panel, who: str, out: Path) -> dict[Path, bytes]:
    name = _SETS[panel.question]
    enrol, test = _suffixes(found, panel)
    top = out / who / (panel.safeguard or UNPROTECTED_FOLDER) / name
    by = ("asv_orig", "cosine_out") if who == MACHINE else (f"listeners_{who}", _BACK_ENDS[panel.question])
    place = top / "exp" / Path(*by)
    rows = list(zip(panel.pairs, panel.score.tolist(), panel.is_target.tolist(), strict=True))
    people = {each: found.plan.speaker[each] for pair in panel.pairs for each in pair}
    return {
        place / f"{name}_enrolls{enrol}-{name}_trials{test}" / "scores": _lines(
            {pair: f"{score!r}" for pair, score, _ in rows}
        ),
        top / "data" / f"{name}_trials" / "trials": _lines(
            {pair: "target" if same else "nontarget" for pair, _, same in rows}
        ),
        top / "data" / f"{name}_trials" / "utt2spk": "".join(
            f"{each} {who}\n" for each, who in sorted(people.items())
        ).encode(),
    }


def _suffixes(found: Evaluation, panel: Panel) -> tuple[str, str]:
    if panel.safeguard == UNPROTECTED:
        return "", ""
    both = panel.question is ItemTask.PLACEMENT or found.plan.enrol_protected
    return f"_{panel.safeguard}" if both else "", f"_{panel.safeguard}"


def _lines(rows: Mapping[tuple[str, str], str]) -> bytes:
    return "".join(f"{enrol} {test} {value}\n" for (enrol, test), value in rows.items()).encode()


def _ratings(rating: RatingResult, out: Path) -> dict[Path, bytes]:
    """A file of ratings for each safeguard, as `zebra utility --ratings` and the window read them."""
    of = rating.rated
    clean = _rows(rating, UNPROTECTED, "clean") if UNPROTECTED in of.safeguards else []
    return {
        out / "ratings" / f"{of.question.value}-{name}.txt": "".join(
            [*clean, *_rows(rating, name, "protected")]
        ).encode()
        for name in of.safeguards
        if name != UNPROTECTED
    }


def _rows(rating: RatingResult, safeguard: str, word: str) -> list[str]:
    table = rating.rated.under(safeguard)
    return [
        f"{rating.rated.recordings[row]} {rating.rated.listeners[column]} {int(table[row, column])} {word}\n"
        for row, column in np.argwhere(~np.isnan(table)).tolist()
    ]


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

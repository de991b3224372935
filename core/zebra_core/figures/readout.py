"""What stands under the cursor of a figure, in words."""

from __future__ import annotations

import math
from statistics import NormalDist

from zebra_core.figures.distributions import LocalLinkability
from zebra_core.figures.figure import Line, NamedPoints
from zebra_core.metrics.zebra import LN10
from zebra_core.speakers.disclosure import SpeakerDisclosure
from zebra_core.speakers.zoo import Character, Zoo, ZooScale
from zebra_core.wording.texts import bits, grouped, log10_lr, percent, say, signed, with_decimal_sign, written


def ece_read_out(line: Line, point: int) -> str:
    """Prior, odds and ECE at one point of an ECE profile."""
    prior, in_odds = _prior(line, point)
    return say(
        "figure.ece-read-out",
        prior=prior,
        odds=in_odds,
        ece=bits(float(line.y[point])),
        label=line.label,
    )


def ape_read_out(line: Line, point: int) -> str:
    """Prior, odds and error probability at one point of a curve of the APE plot."""
    prior, in_odds = _prior(line, point)
    return say(
        "figure.ape-read-out", prior=prior, odds=in_odds, error=_share(line.y[point]), label=line.label
    )


def share_read_out(line: Line, point: int) -> str:
    """Prior, odds and share of the bound at one point of a normalised profile, NECE or NBER."""
    prior, in_odds = _prior(line, point)
    return say(
        "figure.share-read-out", prior=prior, odds=in_odds, share=_share(line.y[point]), label=line.label
    )


def det_read_out(line: Line, point: int) -> str:
    """Both error rates at one point of a DET curve, whose places are Φ⁻¹ of them."""
    false_alarm, miss = (NormalDist().cdf(float(places[point])) for places in (line.x, line.y))
    return say("figure.det-read-out", false_alarm=percent(false_alarm), miss=percent(miss), label=line.label)


def roc_read_out(line: Line, point: int) -> str:
    """Both rates at one point of a ROC curve."""
    x, y = _share(line.x[point]), _share(line.y[point])
    return say("figure.roc-read-out", false_alarm=x, recall=y, label=line.label)


def tippett_read_out(line: Line, point: int) -> str:
    """The base-10 LLR and the cumulative share at one corner of a Tippett curve."""
    llr = log10_lr(float(line.x[point]))
    return say("figure.llr-read-out", llr=llr, share=_share(line.y[point]), label=line.label)


def histogram_read_out(line: Line, point: int) -> str:
    """The edge of a bin and the share of the class beside it; or a score and its local linkability."""
    x = float(line.x[point])
    if isinstance(line, LocalLinkability):
        local = bits(float(line.y[point]) / line.top)
        return say("figure.linkability-read-out", value=x, local=local, label=line.label)
    return say("figure.histogram-read-out", value=x, share=_share(line.y[point]), label=line.label)


def pav_read_out(line: Line, point: int) -> str:
    """A score and the base-10 LLR it got."""
    x, y = float(line.x[point]), float(line.y[point])
    return say("figure.pav-read-out", score=x, llr=log10_lr(y), label=line.label)


def calibration_read_out(line: Line, point: int) -> str:
    """What was believed and what was observed, in one bin."""
    x, y = _share(line.x[point]), _share(line.y[point])
    return say("figure.calibration-read-out", posterior=x, observed=y, label=line.label)


def over_estimation_read_out(line: Line, point: int) -> str:
    """A base-10 LLR, and by how many powers of ten it exceeds what the trials bear out."""
    exceeds = written(float(line.y[point]), "+.2f").replace("-", "\N{MINUS SIGN}")
    llr = log10_lr(float(line.x[point]))
    return say("figure.over-estimation-read-out", llr=llr, exceeds=exceeds, label=line.label)


def whisker_read_out(line: Line, point: int) -> str:
    """One end of an interval."""
    return say("figure.whisker-read-out", value=_with_sign(line.x[point]))


def mark_read_out(points: NamedPoints, number: int) -> str:
    """A mark of the headline: its name says what it is and where."""
    return points.names[number]


def convergence_read_out(line: Line, point: int) -> str:
    """One end of an interval after so many replicates."""
    return say("figure.convergence-read-out", count=int(line.x[point]), value=written(line.y[point], ".3f"))


def null_read_out(line: Line, point: int) -> str:
    """The share of sets at one value."""
    return say(
        "figure.null-read-out",
        value=written(line.x[point], ".3f"),
        share=_share(line.y[point]),
        label=line.label,
    )


def zoo_read_out(zoo: Zoo, speaker: str) -> str:
    """Where a speaker is in the zoo, and which animals they are."""
    k = zoo.speakers.index(speaker)
    animal = zoo.animals[k]
    kinds = [say(f"figure.zoo-kind-{animal.value}") if animal else say("figure.zoo-no-animal")]
    kinds += [
        say(f"figure.zoo-kind-{character.value}") for character in Character if character in zoo.characters[k]
    ]
    unit = LN10 if zoo.scale is ZooScale.LLR else 1.0
    return say(
        f"figure.zoo-read-out-{zoo.scale.value}",
        speaker=speaker,
        target=_with_sign(zoo.target_mean[k] / unit),
        nontarget=_with_sign(zoo.nontarget_mean[k] / unit),
        kinds=", ".join(kinds),
        n_target=int(zoo.n_target[k]),
        n_nontarget=int(zoo.n_nontarget[k]),
    )


def speaker_read_out(found: SpeakerDisclosure) -> str:
    """What the trials of one speaker disclose."""
    return say(
        "figure.speaker-read-out",
        speaker=found.speaker,
        d_ece=signed(found.estimate_bits),
        interval=say("figure.speaker-interval", low=signed(found.low_bits), high=signed(found.high_bits))
        if found.has_interval
        else "",
        taken=log10_lr(found.taken_log10_lr),
        worst=log10_lr(found.worst_case_log10_lr),
        tag=found.tag,
        quantile=percent(found.quantile),
        n_target=found.n_target,
        n_nontarget=found.n_nontarget,
    )


def cmc_read_out(line: Line, point: int) -> str:
    """How often the true speaker is among the first so many."""
    rank = round(float(line.x[point]))
    return say("figure.cmc-read-out", rank=rank, share=_share(line.y[point]), label=line.label)


def people_read_out(line: Line, point: int) -> str:
    """The probability among so many people; places are their logarithms to base 10."""
    people = round(10.0 ** float(line.x[point]))
    return say("figure.people-read-out", people=people, share=_share(line.y[point]), label=line.label)


def _with_sign(value: float) -> str:
    return written(float(value), ".2f").replace("-", "\N{MINUS SIGN}")


def _prior(line: Line, point: int) -> tuple[str, str]:
    log_odds = float(line.x[point])
    return percent(prior_of(log_odds)), odds(log_odds)


def _share(value: float) -> str:
    return percent(float(value))


def prior_of(log_odds: float) -> float:
    """The probability behind natural log-odds."""
    # 1 + tanh keeps both tails exact enough to be shown and cannot overflow.
    return 0.5 * (1.0 + math.tanh(0.5 * log_odds))


def odds(log_odds: float) -> str:
    """Odds as people say them: 1 : 2.7, 1 : 1, 2 981 : 1."""
    ratio = math.exp(abs(log_odds))
    number = grouped(round(ratio)) if ratio >= 100.0 else with_decimal_sign(f"{ratio:.1f}".removesuffix(".0"))
    return f"{number} : 1" if log_odds > 0.0 else f"1 : {number}"

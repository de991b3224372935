"""The headline as pictures: what stands where on the scale of disclosure and on the ladder of tags."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tests.core.samples import demo, pdflatex_together
from zebra_core.evidence.trials import Trials
from zebra_core.figures.export import figure_files
from zebra_core.figures.figure import Figure, Ink, Marker, NamedPoints, marker_size
from zebra_core.figures.headline import Ladder, ladder_figure, scale_figure
from zebra_core.figures.pgfplots import standalone, tikz
from zebra_core.figures.readout import mark_read_out
from zebra_core.metrics.assessment import Settings, assess
from zebra_core.metrics.scales import PAPER_SCALE, Tag, TagScale
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.project.items import Condition, Entry, Individual, Population
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import trust_of
from zebra_core.wording.texts import speaking


def entry_of(target: list[float], nontarget: list[float], name: str = "X", **settings: object) -> Entry:
    trials = Trials.from_scores(target, nontarget)
    found = assess(trials, Settings(**settings))  # type: ignore[arg-type]
    return Entry(name, trials, found, Condition.OP, colour=0)


@cache
def measured() -> Entry:
    """B2 of the demo with intervals."""
    entry = demo().entries[2]
    assert entry.trials is not None
    return replace(entry, measured=trust_of(entry.trials, entry.assessment, BootstrapSettings(replicates=40)))


def reversed_demo() -> Entry:
    """The unprotected speech of the demo with its scores the wrong way round."""
    entry = demo().entries[0]
    assert entry.trials is not None
    trials = replace(entry.trials, score=-entry.trials.score)
    return replace(entry, trials=trials, assessment=assess(trials))


def mark(figure: Figure, marker: Marker, colour: object = None) -> NamedPoints:
    """The only mark of this shape (and colour)."""
    [found] = [
        one for one in figure.points if one.marker is marker and (colour is None or one.colour == colour)
    ]
    assert isinstance(found, NamedPoints)
    return found


# --- the ladder's steps, by hand


def test_steps_are_equally_wide_and_places_follow_the_value_within_a_step() -> None:
    ladder = Ladder.of(PAPER_SCALE, 3.99)
    assert ladder.letters == tuple((k + 0.5, letter) for k, letter in enumerate("0ABCDEF"))
    assert ladder.ticks == ((1, "0"), (2, "1"), (3, "2"), (4, "4"), (5, "5"), (6, "6"))
    # C goes from 2 to 4: 3 is in the middle of the fourth step, which begins at 3.
    assert [ladder.place(value) for value in (0.0, 0.5, 1.0, 3.0, 4.0, 5.25)] == [
        1.0,
        1.5,
        2.0,
        3.5,
        4.0,
        5.25,
    ]
    assert ladder.step("C") == (3.0, 4.0)
    # F begins at 6 and is as long as E, 1: 6.5 is in its middle, and what lies beyond at its end.
    assert [ladder.place(value) for value in (6.5, 8.0)] == [6.5, 7.0]


def test_the_last_step_has_room_for_the_highest_value() -> None:
    ladder = Ladder.of(PAPER_SCALE, 10.0)  # F from 6 to 10.5
    assert ladder.place(10.0) == pytest.approx(6.0 + 4.0 / 4.5)


def test_only_the_first_tag_stands_on_the_first_step() -> None:
    ladder = Ladder.of(PAPER_SCALE, 1.0)
    assert ladder.place_of_worst_case(0.0, "0") == 0.5
    assert ladder.place_of_worst_case(0.0, "A") == 1.0


def test_a_scale_of_two_tags_is_a_ladder_too() -> None:
    ladder = Ladder.of(TagScale((Tag("none", 0.0), Tag("some", 0.0))), 0.4)
    assert (ladder.end, ladder.ticks, ladder.place(0.5)) == (2.0, ((1, "0"),), 1.5)


# --- what stands on them


def test_the_worst_case_has_the_digits_that_the_text_beside_it_has_with_intervals_and_without() -> None:
    for entry in (demo().entries[2], measured()):
        found = Individual.of(entry)
        drawn = ladder_figure([entry])
        assert (found.in_words, drawn.title) == ("2.4", "B2 OP: worst case 2.4 (C)")
        assert mark(drawn, Marker.DIAMOND).names == ("B2 OP: worst case 2.4 (C), for the same speaker",)


def test_without_intervals_the_plain_figure_stands_alone_and_that_is_said() -> None:
    # Perfectly separated: full disclosure, and the ceilings (2 + 1)/2 · 2 = 3 for either direction.
    drawn = scale_figure([entry_of([3.0, 4.0], [1.0, 2.0])])
    dot = mark(drawn, Marker.CIRCLE)
    assert float(dot.x[0]) == pytest.approx(FULL_DISCLOSURE_BITS)
    assert drawn.x.low <= FULL_DISCLOSURE_BITS < drawn.x.high
    assert drawn.title == "X OP: 0.72 bit of disclosure"
    assert len(drawn.lines) == 1  # the scale alone
    assert drawn.alt_text == (
        "Population disclosure in bits on a scale from none (0) to full (0.721). X OP: 0.72 bit. Not "
        "computed yet: choose Assess > How sure are we?"
    )


def test_perfect_separation_stands_at_its_ceiling_above_its_mark_and_larger() -> None:
    entry = entry_of([3.0, 4.0], [1.0, 2.0])
    drawn = ladder_figure([entry])
    diamond, cross = mark(drawn, Marker.DIAMOND), mark(drawn, Marker.CROSS)
    # log10 3 = 0.477 lies in A, on the second step; both directions have this ceiling, so it is drawn once.
    assert float(diamond.x[0]) == pytest.approx(1.0 + np.log10(3.0))
    assert diamond.x.tolist() == cross.x.tolist()
    assert [one.marker for one in drawn.points] == [Marker.CROSS, Marker.DIAMOND]  # the last is on top
    assert marker_size(Marker.DIAMOND) > 1.3 * marker_size(Marker.CROSS)
    assert drawn.alt_text.endswith("X OP: A, at the limit of these data.")


def test_no_evidence_at_all_stands_on_the_first_step() -> None:
    drawn = ladder_figure([entry_of([1.0, 1.0], [1.0])])
    assert float(mark(drawn, Marker.DIAMOND).x[0]) == 0.5
    assert drawn.title == "X OP: worst case 0 (0?)"
    assert float(mark(scale_figure([entry_of([1.0], [1.0])]), Marker.CIRCLE).x[0]) == 0.0


def test_ceilings_of_both_directions_are_drawn_where_they_differ() -> None:
    # One target above four nontargets: for one speaker (1 + 1)/1 · 4 = 8, for two (4 + 1) · 1/4 = 1.25.
    drawn = ladder_figure([entry_of([9.0], [1.0, 2.0, 3.0, 4.0])])
    assert float(mark(drawn, Marker.CROSS).x[0]) == pytest.approx(1.0 + np.log10(8.0))
    other = mark(drawn, Marker.TRIANGLE)
    assert float(other.x[0]) == pytest.approx(1.0 + np.log10(1.25))
    assert other.names == ("X OP: the most that these data can show for two different speakers is 0.10",)
    assert mark(drawn, Marker.DIAMOND).names == ("X OP: worst case 0.9 (A), for the same speaker",)


def test_with_intervals_the_figure_without_optimism_stands_inside_its_interval() -> None:
    entry = measured()
    assert entry.trust is not None
    drawn, found = scale_figure([entry]), entry.trust.uncertainty
    interval = found.interval("d_ece_bits")
    assert interval is not None
    [line] = [line for line in drawn.lines if line.label]
    assert (line.label, line.x.tolist()) == ("95 % interval", [interval.low, interval.high])
    dot = float(mark(drawn, Marker.CIRCLE).x[0])
    assert dot == found.d_ece_corrected_bits != entry.assessment.d_ece_bits
    assert interval.low <= dot <= interval.high
    assert "Nobody" not in drawn.alt_text


def test_what_no_disclosure_would_show_is_marked_in_both() -> None:
    entry = measured()
    assert entry.trust is not None
    assert entry.trust.null is not None
    for drawn, figure in (
        (scale_figure([entry]), "d_ece_bits"),
        (ladder_figure([entry]), "worst_case_log10_lr"),
    ):
        chance, beyond = mark(drawn, Marker.SQUARE), entry.trust.one_in_twenty(figure)
        assert beyond is not None
        assert (chance.colour, chance.label) == (Ink.MUTED, "no disclosure, 19 in 20")
        at = beyond if figure == "d_ece_bits" else Ladder.of(PAPER_SCALE, 4.0).place(beyond)
        assert float(chance.x[0]) == pytest.approx(at)
    assert scale_figure([entry]).areas[0].x.tolist() == [0.0, entry.trust.one_in_twenty("d_ece_bits")]


def test_scores_that_run_the_wrong_way_lead_with_what_they_disclose_by_it() -> None:
    entry = reversed_demo()
    population, individual = Population.of(entry), Individual.of(entry)
    assert (population.in_words, population.lead_in_words) == ("0 bit", "0.68 bit")
    # The mirror image of the demo's: 3.88 for the same speaker, of 3.99 at most.
    straight = demo().entries[0].assessment
    assert individual.log10_lr == straight.strongest_log10_lr
    assert individual.ceiling_log10_lr == straight.strongest_ceiling_log10_lr
    scale, ladder = scale_figure([entry]), ladder_figure([entry])
    assert float(mark(scale, Marker.TRIANGLE).x[0]) == pytest.approx(straight.d_ece_bits)
    assert float(mark(scale, Marker.CIRCLE).x[0]) == entry.assessment.d_ece_bits
    assert scale.title == "unprotected OO: 0.68 bit of disclosure"
    assert mark(ladder, Marker.DIAMOND).names == ("unprotected OO: worst case 3.9 (C), for the same speaker",)
    assert mark(ladder, Marker.CIRCLE).names[0].startswith("unprotected OO, as the scores were given: ")
    for drawn in (scale, ladder):
        assert "Read the other way round, lower meaning more alike" in drawn.alt_text


def test_scores_in_no_order_lead_with_what_is_learnt_without_one() -> None:
    entry = in_both_tails()
    drawn = scale_figure([entry])
    assert mark(drawn, Marker.DIAMOND).label == "read without any order"
    assert float(mark(drawn, Marker.DIAMOND).x[0]) == entry.assessment.cross_fitted.d_ece_unordered_bits
    assert ladder_figure([entry]).title.endswith("!)")


def test_what_only_a_later_row_has_stands_in_the_legend_too() -> None:
    drawn = scale_figure([entry_of([3.0], [1.0]), measured(), reversed_demo(), in_both_tails(), measured()])
    assert [each.label for each in drawn.legend] == [
        *("95 % interval", "disclosure", "no disclosure, 19 in 20"),
        *("read the other way round", "read without any order"),
    ]


def in_both_tails() -> Entry:
    rng = np.random.default_rng(3)
    target = np.concatenate([rng.normal(4.0, 0.5, 78), rng.normal(-4.0, 0.5, 78)])
    return entry_of(target.tolist(), rng.normal(0.0, 1.0, 9672).tolist(), "tails")


@pytest.mark.parametrize(
    ("target", "nontarget"),
    [
        pytest.param([1.7e308, 2.0], [-1.7e308, 0.0], id="as far as floats go"),
        pytest.param([1.0], [1.0], id="all equal"),
        pytest.param([1.0], [0.0], id="one trial of each class"),
        pytest.param([1.0, 2.0], [5.0, 6.0], id="the wrong way round"),
        pytest.param([5.0], [float(k) for k in range(300)], id="one target"),
    ],
)
def test_whatever_the_scores_both_can_be_drawn(target: list[float], nontarget: list[float]) -> None:
    for drawn in (scale_figure([entry_of(target, nontarget)]), ladder_figure([entry_of(target, nontarget)])):
        assert all(drawn.x.low <= float(one.x[0]) <= drawn.x.high for one in drawn.points)
        assert "nan" not in tikz(drawn)


@pytest.mark.parametrize("figure", [scale_figure, ladder_figure])
@pytest.mark.parametrize("count", [1, 2, 40])
def test_there_is_a_row_for_each_whose_marks_say_all(figure, count: int) -> None:  # type: ignore[no-untyped-def]
    entries = [replace(measured(), name=f"safeguard {k}", colour=k) for k in range(count)]
    drawn = figure(entries, entries[-1].id)
    assert [name for _, name in drawn.y.ticks or ()] == (
        [f"safeguard {k} OP" for k in range(count)] if count > 1 else []
    )
    for k, one in enumerate(entries):
        here = [points for points in drawn.points if float(points.y[0]) == float(count - k)]
        assert all(mark_read_out(points, 0).startswith(f"{one.name} OP") for points in here)
        assert all(points.names[0] in drawn.alt_text for points in here)
    labels = [each.label for each in drawn.legend]
    assert len(labels) == len(set(labels))


@cache
def of_the_worst(figure: Callable[..., Figure], count: int) -> Figure:
    return figure([replace(measured(), name=rf"100 % \of $x_{k}$") for k in range(count)])


@pytest.fixture(scope="module")
def in_tex(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """The text of each of those below that TeX has set, all of them in one go."""
    drawn = {
        f"{figure.__name__} {count}": of_the_worst(figure, count)
        for figure in (scale_figure, ladder_figure)
        for count in (1, 40)
    }
    documents = {name: standalone(each.title, tikz(each)) for name, each in drawn.items()}
    return pdflatex_together(documents, tmp_path_factory.mktemp("tex"))


@pytest.mark.parametrize("figure", [scale_figure, ladder_figure])
@pytest.mark.parametrize("count", [1, 40])
def test_every_format_draws_them(
    figure: Callable[..., Figure], count: int, in_tex: Callable[[str], str]
) -> None:
    drawn = of_the_worst(figure, count)
    for extension in ("png", "pdf", "svg"):
        [content] = figure_files(drawn, "x", extension).values()
        assert len(content) > 1000
    text = in_tex(f"{figure.__name__} {count}")
    assert "no disclosure, 19 in 20" in text
    assert drawn.title.split()[-1] in text


def test_a_picture_of_one_row_is_low() -> None:
    one, forty = (tikz(scale_figure([measured()] * count)) for count in (1, 40))
    assert "height=1.4cm" in one  # (0.3 + 0.25) inches
    assert "ytick={\\empty}" in one
    assert "height=18.03cm" in forty  # (0.3 + 40 · 0.17) inches


@pytest.mark.parametrize(
    ("code", "titles"),
    [
        ("de", ["B2 OP: 0,20 Bit Offenlegung", "B2 OP: ungünstigster Fall 2,4 (C)"]),
        ("fr", ["B2 OP\u202f: 0,20 bit de divulgation", "B2 OP\u202f: pire cas 2,4 (C)"]),
        ("es", ["B2 OP: 0,20 bit de divulgación", "B2 OP: peor caso 2,4 (C)"]),
    ],
)
def test_the_title_of_one_assessment_is_said_in_the_language(code: str, titles: list[str]) -> None:
    entry = demo().entries[2]
    with speaking(code):
        assert [scale_figure([entry]).title, ladder_figure([entry]).title] == titles

"""Tags of the worst case and words for support."""

import json
import math

import pytest

import zebra_core
from zebra_core.document.parts import SavedValue, scales_as_json, scales_of
from zebra_core.figures.figure import TAGS, tag_colour, tag_ink
from zebra_core.metrics.scales import (
    ENFSI_LIKE_SCALE,
    PAPER_SCALE,
    Level,
    Tag,
    TagScale,
    VerbalScale,
    tag_scale_of,
    verbal_scale_of,
)  # fmt: skip


def opened(saved: object) -> tuple[TagScale, VerbalScale | None]:
    return scales_of(SavedValue(saved, "scales", "a.zebra"))


def saved_and_opened(tags: TagScale, words: VerbalScale | None) -> tuple[TagScale, VerbalScale | None]:
    return opened(json.loads(json.dumps(scales_as_json(tags, words))))


@pytest.mark.parametrize(
    ("log10_lr", "letter"),
    [
        (0.0, "0"), (1e-10, "0"), (1e-8, "A"), (math.nextafter(1.0, 0.0), "B"), (1.0 - 1e-8, "A"),
        (1.0, "B"), (1.9999, "B"), (2.0, "C"), (3.0, "C"), (3.9999, "C"), (4.0, "D"), (5.0, "E"),
        (5.9999, "E"), (6.0, "F"), (math.inf, "F"),
    ],
)  # fmt: skip
def test_tags_follow_table_1_and_bounds_belong_to_the_upper_tag(log10_lr: float, letter: str) -> None:
    assert PAPER_SCALE.tag_of(log10_lr).letter == letter


def test_a_worst_case_of_exactly_100_is_tag_c_however_its_logarithm_is_rounded() -> None:
    assert PAPER_SCALE.tag_of(math.log(100.0) / math.log(10.0)).letter == "C"
    assert PAPER_SCALE.tag_of(math.log10(99.0) + math.log10(100 / 99)).letter == "C"


@pytest.mark.parametrize(
    ("tags", "message"),
    [
        pytest.param([Tag("0", 0.0)], "at least two", id="one tag"),
        pytest.param([Tag("0", 0.0), Tag("A", 1.0)], "begins at 0", id="a gap above zero"),
        pytest.param([Tag("0", 1.0), Tag("A", 0.0)], "begins at 0", id="zero is not first"),
        pytest.param(
            [Tag("0", 0.0), Tag("A", 0.0), Tag("B", 2.0), Tag("C", 2.0)],
            "“C” begins at 2, which is not above 2",
            id="equal bounds",
        ),
        pytest.param(
            [Tag("0", 0.0), Tag("A", 0.0), Tag("B", math.inf)], "not a number up to 12", id="infinite"
        ),
        pytest.param([Tag("0", 0.0), Tag("A", 0.0), Tag("B", 12.5)], "not a number up to 12", id="far"),
        pytest.param([Tag("0", 0.0), Tag("0", 0.0)], "given twice", id="letter twice"),
        pytest.param([Tag("0", 0.0), Tag(" ", 0.0)], "cannot be a tag", id="blank"),
        pytest.param([Tag("0", 0.0), Tag("ninechars", 0.0)], "one to 8", id="long"),
    ],
)
def test_a_scale_in_disorder_is_refused(tags: list[Tag], message: str) -> None:
    with pytest.raises(zebra_core.InputError, match=message):
        TagScale(tuple(tags))


def test_tags_of_an_own_scale_are_in_quotation_marks_on_grey_and_its_words_are_its_own() -> None:
    own = TagScale((*PAPER_SCALE.tags[:-1], Tag("OK", 6.0, "private")))
    assert [own.is_own, PAPER_SCALE.is_own] == [True, False]
    assert (own.shown("A"), own.shown("OK")) == ("“A”", "“OK”")
    assert own.words_of("OK") == "“private”: the scale’s own words, not checked"
    assert PAPER_SCALE.words_of("0") == "even odds: nothing is disclosed"
    colours = {tag_colour(own, tag.letter) for tag in own.tags}
    assert len(colours) == 1
    assert not colours & set(TAGS.values())
    assert tag_ink(colours.pop()) != tag_ink(tag_colour(PAPER_SCALE, "A")) == "#FFFFFF"


def test_the_words_of_an_own_verbal_scale_are_in_quotation_marks() -> None:
    own = VerbalScale("ours", (Level(0.0, "nobody can be recognised"),))
    assert own.sentence(3.0) == "“nobody can be recognised” for either proposition"
    typed = tuple(Level(float(f"{one.from_log10_lr:.10g}"), one.words) for one in ENFSI_LIKE_SCALE.levels)
    assert not VerbalScale(ENFSI_LIKE_SCALE.name, typed).is_own


def test_an_edited_scale_is_saved_and_used() -> None:
    scale = TagScale((Tag("none", 0.0, "nothing"), Tag("low", 0.0, "little"), Tag("high", 0.5, "much")))
    again, _ = saved_and_opened(scale, None)
    assert again == scale
    found = zebra_core.assess(
        zebra_core.Trials.from_scores([2.0] * 9, [1.0] * 9), zebra_core.Settings(tag_scale=again)
    )
    assert found.tag == "high"
    assert again.tag_of(found.worst_case_log10_lr).words == "much"


def test_the_papers_scale_has_words_and_survives_saving() -> None:
    assert [tag.letter for tag in PAPER_SCALE.tags] == ["0", "A", "B", "C", "D", "E", "F"]
    assert PAPER_SCALE.tag_of(3.0).words == "odds of 100 to 10 000 to 1 where both were as likely before"
    assert saved_and_opened(PAPER_SCALE, None) == (PAPER_SCALE, None)


@pytest.mark.parametrize(
    "saved",
    [None, "0", {"tags": []}, [1], [{"letter": "0"}], [{"letter": "0", "from_log10_lr": True, "words": ""}]],
)
def test_what_is_no_scale_is_refused(saved: object) -> None:
    with pytest.raises(zebra_core.InputError, match="cannot be read"):
        opened({"tag_scale": saved, "verbal_scale": None})


@pytest.mark.parametrize(
    ("log10_lr", "sentence"),
    [
        (0.0, "no support for either proposition"),
        (math.log10(1.99), "no support for either proposition"),
        (math.log10(2.0), "weak support for one speaker rather than two"),
        (-math.log10(2.0), "weak support for two speakers rather than one"),
        (math.log(10.0) / math.log(10.0), "moderate support for one speaker rather than two"),
        (-2.5, "moderately strong support for two speakers rather than one"),
        (3.0, "strong support for one speaker rather than two"),
        (5.9, "very strong support for one speaker rather than two"),
        (-math.inf, "extremely strong support for two speakers rather than one"),
    ],
)
def test_support_in_words_for_either_proposition(log10_lr: float, sentence: str) -> None:
    assert ENFSI_LIKE_SCALE.sentence(log10_lr) == sentence


def test_an_edited_verbal_scale_is_saved() -> None:
    scale = VerbalScale("ours", (Level(0.0, "nothing"), Level(1.5, "something")))
    assert saved_and_opened(PAPER_SCALE, scale) == (PAPER_SCALE, scale)
    assert saved_and_opened(PAPER_SCALE, ENFSI_LIKE_SCALE)[1] == ENFSI_LIKE_SCALE


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        pytest.param([], "at least", id="no level"),
        pytest.param([Level(1.0, "some")], "begins at 0", id="not from zero"),
        pytest.param([Level(0.0, "no"), Level(0.0, "some")], "not above 0", id="equal bounds"),
        pytest.param([Level(0.0, "no"), Level(1.0, " ")], "no words", id="no words"),
    ],
)
def test_a_verbal_scale_in_disorder_is_refused(levels: list[Level], message: str) -> None:
    with pytest.raises(zebra_core.InputError, match=message):
        VerbalScale("ours", tuple(levels))


@pytest.mark.parametrize(
    "saved", [7, [], {"name": "x", "levels": 3}, {"name": 1, "levels": []}, {"name": "x"}]
)
def test_what_is_no_verbal_scale_is_refused(saved: object) -> None:
    with pytest.raises(zebra_core.InputError):
        opened({**scales_as_json(PAPER_SCALE, None), "verbal_scale": saved})


def test_typed_rows_make_a_scale() -> None:
    rows = [(tag.letter, f"{tag.from_log10_lr:g}", tag.words) for tag in PAPER_SCALE.tags]
    assert tag_scale_of(rows) == PAPER_SCALE
    assert tag_scale_of([("0", "0", ""), ("A", "−0", ""), ("B", "1,5", "")]).tags[2].from_log10_lr == 1.5
    assert verbal_scale_of("mine", [("0", "none"), ("1", "some")]).levels[1] == Level(1.0, "some")


def test_a_typed_bound_that_is_no_number_is_said() -> None:
    with pytest.raises(zebra_core.InputError, match="“A” is not a number up to 12"):
        tag_scale_of([("0", "0", ""), ("A", "one", "")])
    with pytest.raises(zebra_core.InputError, match="“none” is not a number up to 12"):
        verbal_scale_of("mine", [("", "none")])

"""What a user does with the items of a project gives another project; the old one stays as it was."""

from dataclasses import replace

import pytest

from tests.core.samples import small_entry
from zebra_core.project import arranging
from zebra_core.project.items import Condition, Item, SpeechKey
from zebra_core.project.project import Project
from zebra_core.project.utility import Utility


def item(key: str, *, name: str = "", dataset: str = "", **more: object) -> Item:
    return replace(small_entry(), id=key, name=name or key, dataset=dataset, **more)  # type: ignore[arg-type]


def three() -> Project:
    """a, b and c in f; d and e in m."""
    return Project(
        "", tuple(item(key, dataset="f" if key < "d" else "m", colour=ord(key) - 97) for key in "abcde")
    )


def order(project: Project) -> str:
    return "".join(one.id for one in project.items)


def datasets(project: Project) -> str:
    return "".join(one.dataset for one in project.items)


@pytest.mark.parametrize(
    ("ids", "step", "then"),
    [
        ("b", -1, "bacde"),
        ("b", 1, "acbde"),
        ("a", -1, "abcde"),
        ("c", 1, "abcde"),  # it does not leave its dataset
        ("d", -1, "abcde"),
        ("bc", -1, "bcade"),
        ("ab", 1, "cabde"),
        ("ac", -1, "acbde"),  # the first stays, the other closes up
        ("be", -1, "baced"),  # in both datasets
    ],
)
def test_items_move_within_their_dataset(ids: str, step: int, then: str) -> None:
    assert order(arranging.moved_by(three(), ids, step)) == then


@pytest.mark.parametrize(
    ("ids", "dataset", "before", "then", "of"),
    [
        ("a", "m", None, "bcdea", "ffmmm"),
        ("a", "m", "e", "bcdae", "ffmmm"),
        ("ea", "f", "c", "baecd", "ffffm"),  # in the order of the project, wherever they were
        ("ab", "f", "b", "abcde", "fffmm"),  # onto one of themselves
        ("ab", "f", "a", "abcde", "fffmm"),
        ("c", "f", "a", "cabde", "fffmm"),
        ("bd", "new", None, "acebd", "ffmnewnew"),
        ("abc", "m", None, "deabc", "mmmmm"),
    ],
)
def test_items_are_placed(ids: str, dataset: str, before: str | None, then: str, of: str) -> None:
    found = arranging.moved_to_dataset(three(), ids, dataset, before)
    assert (order(found), datasets(found)) == (then, of)


def test_datasets_move_with_all_that_is_in_them() -> None:
    moved = arranging.with_dataset_shifted(three(), "m", -1)
    assert order(moved) == "deabc"
    assert order(arranging.with_dataset_shifted(moved, "m", -1)) == "deabc"
    assert order(arranging.with_dataset_shifted(moved, "m", 1)) == "abcde"


def test_items_of_one_dataset_stand_together() -> None:
    mixed = Project(
        "", tuple(item(key, dataset=dataset) for key, dataset in zip("abcd", "fmfm", strict=True))
    )
    assert order(arranging.grouped(mixed)) == "acbd"


def test_a_dataset_that_is_called_like_another_joins_it() -> None:
    joined = arranging.with_dataset_renamed(three(), "m", "f")
    assert joined.datasets == ("f",)
    assert order(joined) == "abcde"


class TestColours:
    """A colour belongs to the safeguard."""

    project = Project(
        "",
        (
            item("a", name="B1", colour=0),
            item("b", name="B1", colour=0),
            item("c", name="B2", colour=1),
            item("o", name="plain", colour=None),
        ),
    )

    def colours(self, project: Project) -> dict[str, int | None]:
        return {one.id: one.colour for one in project.items}

    def test_it_changes_for_all_items_of_the_safeguard(self) -> None:
        found = arranging.with_colour(self.project, "a", 5)
        assert self.colours(found) == {"a": 5, "b": 5, "c": 1, "o": None}
        assert self.colours(arranging.with_colour(self.project, "b", None))["a"] is None

    def test_who_joins_a_safeguard_takes_its_colour(self) -> None:
        assert self.colours(arranging.with_name(self.project, "a", "B2"))["a"] == 1

    def test_who_leaves_a_safeguard_gets_one_that_is_free(self) -> None:
        assert self.colours(arranging.with_name(self.project, "a", "B9"))["a"] == 2

    def test_a_safeguard_that_is_called_otherwise_keeps_its_colour(self) -> None:
        found = arranging.with_name(self.project, "ab", "B9")
        assert self.colours(found) == self.colours(self.project)
        assert [one.name for one in found.items] == ["B9", "B9", "B2", "plain"]

    def test_grey_stays_grey(self) -> None:
        assert self.colours(arranging.with_name(self.project, "o", "B2"))["o"] is None

    def test_a_copy_is_another_safeguard(self) -> None:
        found, ids = arranging.duplicated(self.project, "abo")
        names = {one.id: (one.name, one.colour) for one in found.items}
        assert [names[key] for key in ids] == [("B1 (copy)", 2), ("B1 (copy)", 2), ("plain (copy)", None)]
        assert [one.name for one in found.items][:4] == ["B1", "B1", "B2", "plain"]


def test_copies_have_ids_of_their_own_and_stand_behind_the_last_original_of_their_dataset() -> None:
    found, ids = arranging.duplicated(three(), "ad")
    assert len({one.id for one in found.items}) == 7
    assert [one.name for one in found.items] == ["a", "a (copy)", "b", "c", "d", "d (copy)", "e"]
    assert [found.item(key).name for key in ids] == ["a (copy)", "d (copy)"]


def test_a_copy_of_a_copy_is_numbered() -> None:
    once, _ = arranging.duplicated(three(), "a")
    twice, [copy] = arranging.duplicated(once, "a")
    assert twice.item(copy).name == "a (copy 2)"


def test_ticks() -> None:
    project = arranging.with_ticks(three(), "ab", False)
    assert [one.is_ticked for one in project.items] == [False, False, True, True, True]
    assert [one.is_ticked for one in arranging.with_only_ticked(project, "b").items] == [
        False,
        True,
        False,
        False,
        False,
    ]


def test_what_is_gone_is_left_out_of_account() -> None:
    project = three()
    assert arranging.is_same(project, arranging.with_ticks(project, ["nobody"], False))
    assert arranging.is_same(project, arranging.moved_to_dataset(project, ["nobody"], "m"))
    assert arranging.is_same(project, arranging.duplicated(project, ["nobody"])[0])
    assert arranging.is_same(project, arranging.with_name(project, ["nobody"], "x"))


@pytest.mark.parametrize(
    "changed",
    [
        lambda project: arranging.with_name(project, "a", "x"),
        lambda project: arranging.with_condition(project, "a", Condition.PP),
        lambda project: arranging.with_attack(project, "a", attacker="semi-informed"),
        lambda project: arranging.with_run(project, "a", "2"),
        lambda project: arranging.with_notes(project, "a", "look again"),
        lambda project: arranging.with_notes(project, None, "of all"),
        lambda project: arranging.with_colour(project, "a", None),
        lambda project: arranging.with_ticks(project, "a", False),
        lambda project: project.without("a"),
    ],
)
def test_what_changes_anything_is_not_the_same(changed) -> None:  # type: ignore[no-untyped-def]
    project = three()
    found = changed(project)
    assert not arranging.is_same(project, found)
    assert {one.id for one in found.items} <= set("abcde")


def test_the_same_said_again_is_the_same() -> None:
    project = three()
    assert arranging.is_same(project, arranging.with_condition(project, "abcde", Condition.OP))
    assert arranging.is_same(project, arranging.with_attack(project, "abcde", attacker=""))


class TestUtility:
    """What is known of the utility of speech stays with it, whatever it is called."""

    known = Utility(wer=0.125)

    def project(self) -> Project:
        items = (item("a", name="B1", dataset="f"), item("b", name="B1", dataset="f"))
        return Project("", items, utilities={SpeechKey("f", "B1"): self.known})

    def test_a_new_name_takes_it_along(self) -> None:
        found = arranging.with_name(self.project(), "ab", "B9")
        assert found.utilities == {SpeechKey("f", "B9"): self.known}

    def test_a_dataset_and_a_run_do_so_too(self) -> None:
        assert arranging.with_dataset_renamed(self.project(), "f", "g").utilities == {
            SpeechKey("g", "B1"): self.known
        }
        assert arranging.with_run(self.project(), "ab", "2").utilities == {
            SpeechKey("f", "B1", "2"): self.known
        }

    def test_where_others_stay_behind_it_holds_for_both(self) -> None:
        found = arranging.moved_to_dataset(self.project(), "b", "g")
        assert found.utilities == {SpeechKey("f", "B1"): self.known, SpeechKey("g", "B1"): self.known}

    def test_what_is_known_of_the_other_stays(self) -> None:
        other = Utility(wer=0.5)
        project = self.project()
        project = replace(project, utilities={**project.utilities, SpeechKey("f", "B9"): other})
        assert arranging.with_name(project, "ab", "B9").utilities == {SpeechKey("f", "B9"): other}

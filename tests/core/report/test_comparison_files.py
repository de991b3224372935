"""Section 7: protected speech beside unprotected speech, also where several recognisers heard that."""

from dataclasses import replace

from tests.core.project.attacks import attack
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.items import Condition, Entry
from zebra_core.project.project import Project
from zebra_core.report.content.comparing import comparison
from zebra_core.report.content.values import Frame
from zebra_core.report.document import Block, TableBlock
from zebra_core.version import versions


def original(between: float, recogniser: str, back_end: str = "") -> Entry:
    entry = attack(between, "", Condition.OO, seed=3)
    names = {"name": "unprotected", "recogniser": recogniser, "back_end": back_end}
    return replace(entry, id=f"{recogniser} {back_end}", **names)  # type: ignore[arg-type]


def blocks_of(*entries: Entry) -> tuple[Block, ...]:
    return comparison(Frame.of(gather(Project("", entries)), versions()))


def test_protected_speech_stands_beside_that_which_the_same_recogniser_heard() -> None:
    strong, weak = original(8.0, "ECAPA"), original(2.0, "CAM++")
    protected = replace(attack(0.5, "ignorant", Condition.OP), recogniser="CAM++")
    (table,) = (one for one in blocks_of(strong, weak, protected) if isinstance(one, TableBlock))
    ((_, name, after, before, *_),) = table.rows
    assert "B1" in name.text
    assert before.note == "CAM++"
    assert float(after.text) < float(before.text) < 0.6


def test_of_an_attacker_nobody_named_it_stands_beside_the_strongest_which_is_named() -> None:
    strong, weak = original(8.0, "ECAPA"), original(2.0, "CAM++")
    (table,) = (
        one for one in blocks_of(strong, weak, attack(0.5, "ignorant")) if isinstance(one, TableBlock)
    )
    assert table.rows[0][3].note == "ECAPA"


def test_one_unprotected_set_needs_no_name_and_the_head_names_the_basis() -> None:
    (table,) = (
        one for one in blocks_of(original(8.0, ""), attack(0.5, "ignorant")) if isinstance(one, TableBlock)
    )
    assert table.rows[0][3].note == ""
    assert "D_ECE, corrected (bit)" in [column.head for column in table.columns]

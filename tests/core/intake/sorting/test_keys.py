"""The keys of a drop are read once, whether that goes well or not."""

import pytest

from zebra_core.errors import InputError
from zebra_core.intake.contents import Contents
from zebra_core.intake.sorting.keys import KeyTables
from zebra_core.intake.sorting.plan import plan


def test_a_key_that_cannot_be_read_is_tried_once_however_many_score_files_there_are(tmp_path, monkeypatch):
    for number in range(5):
        (tmp_path / f"scores{number}").write_text("a b 1.0\na c 2.0\n")
    (tmp_path / "trials").write_text("a b target\na c nontarget\n")
    tables = KeyTables()
    tried: list[str] = []

    def broken(_contents, key, _on_progress):
        tried.append(key.source.name)
        raise InputError("not-text", file=key.source.name, byte="00", line=1)

    key = next(file for file in plan([tmp_path]).files if file.source.name == "trials")
    monkeypatch.setattr(Contents, "table", broken)
    for _ in range(5):
        with pytest.raises(InputError):
            tables.table(key)

    assert tried.count("trials") == 1

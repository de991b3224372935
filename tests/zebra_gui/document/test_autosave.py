"""The file of a project: whether somebody else wrote it since it was read."""

from pathlib import Path

from zebra_gui.document.autosave import OwnFile, stamp_of


def test_a_file_that_was_written_while_it_was_being_opened_is_changed_by_others(tmp_path: Path) -> None:
    path = tmp_path / "case.zebra"
    path.write_bytes(b"as read")
    stamp, own = stamp_of(path), OwnFile()
    own.take(path, stamp)
    assert not own.is_changed_by_others
    path.write_bytes(b"with a comment more")
    own.take(path, stamp)
    assert own.is_changed_by_others
    own.leave()

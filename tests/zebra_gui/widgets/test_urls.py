"""Files whose names are no UTF-8 are dropped, and opened again, like all others."""

import os

from PySide6.QtCore import QUrl

from zebra_core.document.project_file import save_project
from zebra_gui.document.recents import recent_projects
from zebra_gui.widgets.urls import path_of

BYTES = b"a\xff b%25\n?#&"


def test_every_byte_of_a_name_comes_through(tmp_path):
    path = tmp_path / os.fsdecode(BYTES)
    assert path_of(QUrl(path.as_uri())) == path
    assert os.fsencode(path_of(QUrl("file:///x/%FF%FE")).name) == b"\xff\xfe"
    assert path_of(QUrl("file:///x/%C3%BC")).name == "ü"
    assert [path_of(QUrl(url)) for url in ("http://example.org/x", "file:", "")] == [None] * 3


def test_scores_of_any_name_are_dropped(window, drop, settled, scores, key, tmp_path):
    odd = tmp_path / os.fsdecode(BYTES)
    odd.write_bytes(scores["B2r"].read_bytes())
    assert drop(window, odd.as_uri(), key)
    settled(window.jobs)
    [item] = window.session.items
    assert odd in {file.path for file in item.files}


def test_a_project_of_any_name_is_among_the_recent_ones(window, settled, tmp_path, demo):
    path = tmp_path / (os.fsdecode(BYTES) + ".zebra")
    save_project(demo, path)
    window.open_paths([path])
    settled(window.jobs)
    assert recent_projects()[0] == path
    menu = window.file_menu.document_actions.recent
    menu.fill()
    assert menu.actions()[0].text().startswith("&1  a\\udcff b%25\\n?#&&.zebra")
    assert window.windowTitle() == "a\\udcff b%25\\n?#&.zebra[*] – ZEBRA"

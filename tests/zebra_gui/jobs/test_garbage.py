"""Garbage with widgets in it is thrown away in the thread of the window, whoever makes the next object."""

import gc
import threading

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from zebra_gui.jobs.garbage import GarbageCollection


@pytest.fixture
def garbage(qtbot):
    parent = QObject()
    garbage = GarbageCollection(parent)
    yield garbage
    garbage.stop()
    gc.unfreeze()
    parent.deleteLater()


class InACycle(QWidget):
    """A widget that only a cycle keeps, as many do that connect their signals to themselves."""

    def __init__(self, told):
        super().__init__()
        self.myself = self
        self.told = told

    def __del__(self):
        self.told.append(threading.current_thread())


def make_many_objects():
    """As many as make Python collect, were it not told to leave that."""
    return [[number] for number in range(100_000)]


def test_a_job_that_makes_many_objects_throws_away_no_widget(garbage, qtbot):
    told = []
    InACycle(told)
    kept = []
    worker = threading.Thread(target=lambda: kept.append(make_many_objects()))
    worker.start()
    worker.join()
    assert told == []

    qtbot.waitUntil(lambda: bool(told), timeout=5000)
    assert told == [threading.main_thread()]
    assert len(kept[0]) == 100_000  # while they are there, more objects came than went: something is due


def test_what_is_there_when_all_is_made_is_not_looked_through_again(garbage):
    garbage.settle()
    before = gc.get_freeze_count()

    assert before > 10_000
    assert gc.collect() < before  # which looks through what came after


def test_what_takes_long_to_look_through_is_looked_through_once(garbage, qtbot, monkeypatch):
    monkeypatch.setattr("zebra_gui.jobs.garbage._LONGEST_S", -1.0)
    kept, before = make_many_objects(), gc.get_freeze_count()

    qtbot.waitUntil(lambda: gc.get_freeze_count() >= before + len(kept))


def test_afterwards_python_collects_as_it_likes(garbage):
    assert not gc.isenabled()
    garbage.stop()

    assert gc.isenabled()

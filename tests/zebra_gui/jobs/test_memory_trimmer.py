"""Memory goes back to the system when there is nothing to do, and never while there is."""

import gc
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from zebra_gui.jobs.jobs import Jobs
from zebra_gui.jobs.memory_trimmer import (
    IDLE_MS,
    GarbageCollection,
    MemoryTrimmer,
    give_memory_back,
    share_one_heap,
)


@pytest.fixture
def given():
    return []


@pytest.fixture
def queues(qtbot):
    queues = Jobs(), Jobs()
    yield queues
    for queue in queues:
        queue.shut_down()


@pytest.fixture
def thrift(queues, given):
    thrift = MemoryTrimmer(queues, queues[0], lambda: given.append(threading.current_thread()))
    assert thrift._timer.interval() == IDLE_MS
    thrift._timer.setInterval(1)
    yield thrift
    thrift.stop()
    thrift.finish()


def test_memory_goes_back_once_after_work_in_another_thread(qtbot, queues, thrift, given):
    queues[1].start("work", lambda _on_progress: None)
    qtbot.waitUntil(lambda: len(given) == 1)
    assert given[0] is not threading.current_thread()
    qtbot.wait(30)
    assert len(given) == 1


def test_it_waits_until_every_queue_is_empty(qtbot, queues, thrift, given):
    go_on = threading.Event()
    queues[0].start("long", lambda _on_progress: go_on.wait(10))
    queues[1].start("short", lambda _on_progress: None)
    qtbot.waitUntil(lambda: not queues[1].waiting)
    qtbot.wait(30)
    assert given == []
    go_on.set()
    qtbot.waitUntil(lambda: len(given) == 1)


def test_nothing_is_begun_once_it_is_over_which_may_be_said_twice(qtbot, queues, thrift, given):
    thrift.stop()
    thrift.finish()
    thrift.stop()
    thrift.finish()
    queues[0].start("late", lambda _on_progress: None)
    qtbot.waitUntil(lambda: not queues[0].waiting)
    qtbot.wait(20)
    assert given == []


def test_the_allocator_of_this_system_can_be_asked():
    assert give_memory_back() in (True, False)
    assert give_memory_back() is False or sys.platform == "linux"


HEAPS_OF_MANY_THREADS = """
import ctypes, sys, threading
from zebra_gui.jobs.memory_trimmer import share_one_heap

can_be_asked = share_one_heap()
together = threading.Barrier(8)

def take():
    together.wait()  # a heap is for a thread that finds all others taken
    return bytearray(100_000)

threads = [threading.Thread(target=take) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
if can_be_asked:
    libc = ctypes.CDLL(None)
    libc.fopen.restype = ctypes.c_void_p
    file = ctypes.c_void_p(libc.fopen(sys.argv[1].encode(), b"w"))
    libc.malloc_info(0, file)
    libc.fclose(file)
"""


def test_many_threads_take_their_memory_from_one_heap(tmp_path):
    told = tmp_path / "heaps.xml"
    folder = Path(__file__).parents[3]
    subprocess.run([sys.executable, "-c", HEAPS_OF_MANY_THREADS, told], cwd=folder, check=True)
    assert told.exists() == share_one_heap()
    assert not told.exists() or told.read_text().count("<heap ") == 1


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
    monkeypatch.setattr("zebra_gui.jobs.memory_trimmer._LONGEST_S", -1.0)
    kept, before = make_many_objects(), gc.get_freeze_count()

    qtbot.waitUntil(lambda: gc.get_freeze_count() >= before + len(kept))


def test_afterwards_python_collects_as_it_likes(garbage):
    assert not gc.isenabled()
    garbage.stop()

    assert gc.isenabled()

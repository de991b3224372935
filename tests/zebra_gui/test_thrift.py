"""Memory goes back to the system when there is nothing to do, and never while there is."""

import sys
import threading

import pytest

from zebra_gui.jobs import Jobs
from zebra_gui.thrift import IDLE_MS, Thrift, give_memory_back


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
    thrift = Thrift(queues, queues[0], lambda: given.append(threading.current_thread()))
    assert thrift._timer.interval() == IDLE_MS
    thrift._timer.setInterval(1)
    yield thrift
    thrift.shut_down()


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


def test_the_allocator_of_this_system_can_be_asked():
    assert give_memory_back() in (True, False)
    assert give_memory_back() is False or sys.platform == "linux"

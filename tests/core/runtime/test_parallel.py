"""The same work on several things at once: order, progress, cancelling and failures as one by one."""

import threading

import pytest

from zebra_core.errors import Cancelled, InputError
from zebra_core.runtime import parallel
from zebra_core.runtime.progress import Progress, no_progress


@pytest.fixture(params=[1, 3], ids=["one by one", "on threads"])
def _processors(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "_processors", lambda: request.param)


pytestmark = pytest.mark.usefixtures("_processors")


def test_results_come_in_the_order_of_the_things() -> None:
    assert parallel.each(lambda thing, _progress: thing * thing, range(50), no_progress) == [
        number * number for number in range(50)
    ]
    assert parallel.each(lambda thing, _progress: thing, [], no_progress) == []


def test_progress_is_told_in_the_callers_thread_and_ends_with_all() -> None:
    told: list[tuple[float, threading.Thread]] = []

    def work(_thing: int, progress: Progress) -> None:
        progress(0.5)
        progress(1.0)

    parallel.each(work, range(5), lambda share: told.append((share, threading.current_thread())))
    assert told[-1][0] == pytest.approx(1.0)
    assert {thread for _, thread in told} == {threading.current_thread()}


def test_cancelling_stops_everything_and_leaves_no_thread() -> None:
    before, started = set(threading.enumerate()), []

    def work(thing: int, progress: Progress) -> None:
        started.append(thing)
        for _ in range(1_000_000):
            progress(0.1)

    def stop(_share: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        parallel.each(work, range(100), stop)
    assert len(started) < 100
    assert set(threading.enumerate()) <= before


def test_the_first_failure_by_order_is_raised() -> None:
    def work(thing: int, _progress: Progress) -> int:
        if thing in (3, 7):
            raise InputError("empty", file=str(thing))
        return thing

    with pytest.raises(InputError, match=r"^3 is empty"):
        parallel.each(work, range(10), no_progress)


def test_after_a_failure_nothing_more_is_begun() -> None:
    begun: list[int] = []

    def work(thing: int, _progress: Progress) -> None:
        begun.append(thing)
        if thing == 3:
            raise InputError("empty", file=str(thing))

    with pytest.raises(InputError, match=r"^3 is empty"):
        parallel.each(work, range(10_000), no_progress)
    assert len(begun) < 10_000


def test_a_system_without_another_thread_to_give_is_out_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(parallel, "_processors", lambda: 3)
    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.raises(MemoryError):
        parallel.each(lambda thing, _progress: thing, range(5), no_progress)


def test_small_things_are_done_in_the_thread_of_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "_processors", lambda: 4)

    def where(_thing: int, _on_progress: Progress) -> bool:
        return threading.current_thread() is threading.main_thread()

    things = range(3)
    assert parallel.each(where, things, no_progress, size=3 * parallel.SMALL) == [True] * 3
    assert not any(parallel.each(where, things, no_progress, size=3 * parallel.SMALL + 1))
    assert not any(parallel.each(where, things, no_progress))

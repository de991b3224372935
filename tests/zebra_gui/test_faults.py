"""Exceptions that nobody caught are shown once, and the program goes on."""

import logging
import threading
import weakref

import pytest

from zebra_gui.faults import Faults


@pytest.fixture
def faults(qtbot, caplog):
    caplog.set_level(logging.CRITICAL + 1)
    faults = Faults()
    faults.told = []
    faults.happened.connect(faults.told.append)
    return faults


def test_a_fault_is_told_once(qtbot, faults):
    error = ValueError("broken")
    for _ in range(100):
        faults.catch(ValueError, error, None)

    qtbot.waitUntil(lambda: bool(faults.told))
    assert faults.told == [error]


def fault(message, raises):
    try:
        raises(message)
    except ValueError as error:
        return ValueError, error, error.__traceback__


def here(message):
    raise ValueError(message)


def there(message):
    raise ValueError(message)


def test_a_fault_is_told_once_for_each_place_whatever_it_says(qtbot, faults):
    for number in range(50):
        faults.catch(*fault(f"frame {number}", here))
        faults.catch(*fault(f"frame {number}", there))

    qtbot.waitUntil(lambda: len(faults.told) == 2)
    assert [str(error) for error in faults.told] == ["frame 0", "frame 0"]


def test_what_a_fault_was_at_work_on_is_let_go(faults):
    class Painter:
        pass

    def paint():
        painter = Painter()
        alive.append(weakref.ref(painter))
        raise ZeroDivisionError

    alive = []
    with pytest.raises(ZeroDivisionError) as raised:
        paint()
    assert alive[0]() is not None
    faults.catch(ZeroDivisionError, raised.value, raised.value.__traceback__)
    assert alive[0]() is None


def test_a_fault_in_another_thread_is_told_in_this_one(qtbot, faults):
    where = []
    faults.happened.connect(lambda _: where.append(threading.current_thread()))
    thread = threading.Thread(target=faults.catch, args=(ValueError, ValueError("there"), None))
    thread.start()
    thread.join()

    qtbot.waitUntil(lambda: bool(where))
    assert where == [threading.main_thread()]


def test_a_flood_of_different_faults_has_an_end(qtbot, faults):
    for number in range(1000):
        faults.catch(ValueError, ValueError(number), None)

    qtbot.waitUntil(lambda: len(faults.told) == 20)


def test_interrupts_are_no_faults(qtbot, faults, capsys):
    faults.catch(KeyboardInterrupt, KeyboardInterrupt(), None)

    assert "KeyboardInterrupt" in capsys.readouterr().err
    assert faults.told == []


def test_the_hooks_are_taken(faults, monkeypatch):
    monkeypatch.setattr("sys.excepthook", None)
    monkeypatch.setattr("threading.excepthook", None)
    faults.install()

    import sys

    assert sys.excepthook == faults.catch
    assert callable(threading.excepthook)

    faults.remove()
    assert sys.excepthook is sys.__excepthook__
    assert threading.excepthook is threading.__excepthook__

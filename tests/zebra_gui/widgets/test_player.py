"""Playing, on a device that nobody hears: it moves, ends, stops, and says why it cannot."""

import sys

import miniaudio
import numpy as np
import pytest

from zebra_gui.widgets.player import Player, _Playback

SHORT = np.full(800, 0.5, np.float32)  # 0.05 s


@pytest.fixture
def player(qapp):
    player = Player(is_silent=True)
    yield player
    player.close()


def test_a_recording_starts_moves_and_ends(player, qtbot):
    moments = []
    player.moved.connect(moments.append)
    with qtbot.waitSignals([player.started, player.ended], timeout=5000):
        player.play(SHORT, 16_000)
        assert player.is_playing

    assert not player.is_playing
    assert moments == sorted(moments)
    assert moments[-1] <= 0.05


def test_it_stops_when_it_is_told_to_and_the_device_closes(player, qtbot):
    with qtbot.waitSignal(player.started, timeout=5000):
        player.play(np.zeros(160_000, np.float32), 16_000)
    thread = player._playing
    with qtbot.waitSignal(player.ended, timeout=1000):
        player.close()
    assert not thread.is_alive()


def test_what_the_device_is_given_is_as_loud_as_asked_for_and_never_beyond_full_scale(player):
    playing = _Playback(player, np.array([0.5, 2.0, -0.5], np.float32), 16_000, 1, is_silent=True)
    player.level = 0.8
    feeding = playing._feeding()
    next(feeding)

    assert np.frombuffer(feeding.send(4), np.float32) == pytest.approx([1.0, -0.4, 0.0, 0.0])
    assert not np.frombuffer(feeding.send(2), np.float32).any()
    assert playing.seconds == 3 / 16_000


def test_without_a_device_it_says_so(qapp, qtbot, monkeypatch):
    def fail(**_):
        raise miniaudio.MiniaudioError("no suitable audio backend found")

    monkeypatch.setattr(miniaudio, "PlaybackDevice", fail)
    player = Player()
    with qtbot.waitSignal(player.failed, timeout=5000) as told:
        player.play(SHORT, 16_000)
    assert told.args == ["device"]
    assert not player.is_playing


def test_a_device_that_asks_for_nothing_any_more_was_unplugged(qapp, qtbot, monkeypatch):
    monkeypatch.setattr(miniaudio.PlaybackDevice, "start", lambda *_: None)
    monkeypatch.setattr("zebra_gui.widgets.player._LOST_S", 0.05)
    player = Player(is_silent=True)
    with qtbot.waitSignal(player.failed, timeout=5000) as told:
        player.play(SHORT, 16_000)
    assert told.args == ["device"]
    assert not player.is_playing


def test_the_device_that_nobody_hears_is_never_taken_for_one(player, monkeypatch):
    given = []
    monkeypatch.setattr(miniaudio, "PlaybackDevice", lambda **how: given.append(how["backends"]))
    _Playback(player, SHORT, 16_000, 0, is_silent=False)._open(miniaudio)
    assert given[0]
    assert miniaudio.Backend.NULL not in given[0]


def test_without_the_library_it_says_so(player, qtbot, monkeypatch):
    monkeypatch.setitem(sys.modules, "miniaudio", None)
    with qtbot.waitSignal(player.failed, timeout=5000) as told:
        player.play(SHORT, 16_000)
    assert told.args == ["library"]

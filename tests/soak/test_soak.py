"""A short day of random actions; the long one is `make soak`."""

from tests.soak.health import Watch
from tests.soak.user import User
from zebra_gui.app import make_app, make_window
from zebra_gui.dialogs import Dialogs
from zebra_gui.dialogs.save import SaveChoice


def test_sixty_random_actions(qtbot, monkeypatch, tmp_path):
    window = make_window(make_app())
    user = User(window, tmp_path, seed=7)
    user.answering(monkeypatch.setattr)
    with Watch(window) as watch:
        window.show()
        for _ in range(60):
            user.act()
        user.wait()
        monkeypatch.setattr(Dialogs, "ask_to_save", lambda *_: SaveChoice.DISCARD)
        assert window.close()
        window.deleteLater()
    assert watch.told == []
    assert sum(user.seen.values()) == 60

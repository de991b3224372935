"""The faults happen in the window of the window's own tests."""

from tests.zebra_gui.conftest import another_window, answers, case, demo, opened, qapp_cls, settled, window

__all__ = ["another_window", "answers", "case", "demo", "opened", "qapp_cls", "settled", "window"]

"""The window that the tests of a module share, as tests of documents begin: with nothing open, or a case."""

import pytest


@pytest.fixture
def shared_empty(shared_window):
    """The shared window with nothing open.

    A test that closes the window, or that is about how a new one begins, takes one of its own.
    """
    shared_window.documents.close()
    yield shared_window
    shared_window.documents.shut_down()  # lets go of whatever file the test opened


@pytest.fixture
def shared_opened(shared_window, case, settled):
    """The shared window with case.zebra open, which takes the place of the demo."""
    shared_window.open_paths([case])
    settled(shared_window.jobs)
    yield shared_window
    shared_window.documents.shut_down()

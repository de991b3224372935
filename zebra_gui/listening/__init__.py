"""Tests by ear in the window: making one, taking one full screen, and what came of it, on a pane."""

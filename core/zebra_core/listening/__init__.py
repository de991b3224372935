"""Tests by ear: planned, given to listeners, answered, and evaluated; people as attackers."""

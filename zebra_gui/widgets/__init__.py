"""Widgets and looks that several panes use."""

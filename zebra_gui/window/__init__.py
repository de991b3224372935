"""The window around the panes: menus, drops, bars, the saved view."""

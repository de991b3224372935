"""What a project is required to show: which figures, within which bounds, written down and read."""

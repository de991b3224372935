"""The intake sheet: what dropped files were taken for, and the questions that only the user can answer."""

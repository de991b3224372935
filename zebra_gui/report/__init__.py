"""The report in the window: what is said about it, and its pages."""

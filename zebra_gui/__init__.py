"""The window and the command line: they show what the core computes."""

"""The window and the command line. No arithmetic, no file formats: those are in core."""

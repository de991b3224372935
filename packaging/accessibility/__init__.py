"""The window as a screen reader gets it: `make test-accessibility`."""

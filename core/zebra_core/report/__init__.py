"""Reports: what to say as plain values (content.py, evidence.py), one file for each format, and export.py."""

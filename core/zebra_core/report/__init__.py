"""Reports: what to say as plain values (content, evidence.py), one file for each format, and export.py."""

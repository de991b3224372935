"""Files larger than memory: read by an engine, or piece by piece, and only counted."""

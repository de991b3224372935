"""Files larger than memory: read piece by piece, matched on disk, counted."""

"""From text to columns: separators, header, ids, scores, labels."""

"""Projects and reports without names: what is coded, and what may be given away."""

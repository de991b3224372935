"""Every figure, as a pure function of counts."""

"""Figures of the core on screen, drawn with pyqtgraph."""

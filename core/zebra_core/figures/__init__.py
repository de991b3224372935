"""Figures: plain values (figure.py), one file for each kind of picture, and the renderers."""

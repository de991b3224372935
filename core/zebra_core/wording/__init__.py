"""Texts, figures and names as people read them; foreign text in TeX."""

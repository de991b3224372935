"""Recordings in the window: what was dropped, the sheet, protecting them, and seeing and hearing them."""

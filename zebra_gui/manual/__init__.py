"""The manual: its pages, what the program fills into them, and the window in which they are read."""

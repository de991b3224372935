"""Recordings to be seen and heard, an original and its protected copy beside each other."""

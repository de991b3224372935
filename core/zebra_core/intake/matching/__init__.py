"""Scores matched with their key, and the audit of both."""

"""Attackers that need no network: who is held apart, words, pitch, several together."""

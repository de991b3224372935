"""Fuzzing: bytes that no program ever wrote, for every reader; they end in data or in a sentence."""

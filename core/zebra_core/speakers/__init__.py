"""Disclosure speaker by speaker: who is at risk, the zoo, ranks, and how it adds up."""

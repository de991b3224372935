"""Everything left to chance: who is drawn, what is exchanged, what is tested together, from which seed."""

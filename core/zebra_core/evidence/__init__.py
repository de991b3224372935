"""What was observed: input files, what was found in them, decisions, trials, counts, whose speech it is."""

"""From files to Trials: open, recognise, read, match, audit. One file for each family of formats."""

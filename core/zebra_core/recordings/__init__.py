"""From recordings to scores: sound, the network that hears who speaks, attackers, reference safeguards."""

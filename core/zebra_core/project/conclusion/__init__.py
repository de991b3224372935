"""The answer for each safeguard: what the strongest attacker finds, in the worst dataset, in plain words."""

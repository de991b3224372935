"""How far figures can be trusted: intervals over speakers, no disclosure, differences that are real."""

"""Whether a project shows what it is required to show: verdicts, and what they rest on."""

"""Is this assessment to be trusted? A list of checks, each passed, failed, or such as cannot be told."""

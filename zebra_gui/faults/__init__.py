"""What becomes of exceptions, signals and logs."""

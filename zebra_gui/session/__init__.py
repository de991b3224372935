"""What is open and selected, and everything that changes it."""

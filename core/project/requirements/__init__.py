"""What a project is required to show, and whether it does."""

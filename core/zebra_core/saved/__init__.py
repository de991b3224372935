"""What a project file is made of: its container, its values, its arrays, each read without trusting it."""

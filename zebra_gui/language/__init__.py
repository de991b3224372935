"""Which language the program speaks, and how the window comes to speak it."""

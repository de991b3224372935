"""What is asked of trials that do not fit into memory, and the database engines that answer it."""

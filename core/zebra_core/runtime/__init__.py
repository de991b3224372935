"""How work is done: progress, threads, memory, other processes."""

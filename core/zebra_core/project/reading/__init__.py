"""From dropped files to items, and their files again: what is known already, what has moved or changed."""

"""Files as such: walking folders, opening what is a file, writing whole or not at all, JSON of others."""

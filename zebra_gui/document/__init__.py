"""The document: the file of the project, whether it is up to date, and what may be lost."""

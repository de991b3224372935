"""The project as it is kept: its values by type, its file, which trusts no byte, and evidence of reports."""

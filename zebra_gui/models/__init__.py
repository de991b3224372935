"""Item models: windows onto what the session holds."""

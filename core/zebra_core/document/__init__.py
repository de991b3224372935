"""What a project says as plain values: one description for its file and for the evidence of a report."""

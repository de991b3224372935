"""What a project says as plain values, described by types: for its file, and for the evidence of a report."""

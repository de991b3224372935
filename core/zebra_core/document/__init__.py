"""What is kept and given away, described by types: the evidence of a report."""

"""What the commands of `zebra` do, each in a file of its own."""

"""The document a user works on: items, what is done with them, and comparing them."""

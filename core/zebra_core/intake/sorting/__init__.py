"""Which files of a drop belong together, and what folders say of them."""

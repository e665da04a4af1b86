"""Bodies that are not held here but can be fetched from where they are, one careful step at a time."""

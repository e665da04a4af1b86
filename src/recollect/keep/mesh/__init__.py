"""Bodies that are stored elsewhere and fetched on demand, behind a ladder of checks."""

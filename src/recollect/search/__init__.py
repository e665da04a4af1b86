"""Finding passages by their words, their meaning, the names and the times a query gives."""

"""Writing the graph in formats of others."""

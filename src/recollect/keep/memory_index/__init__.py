"""Index and search of memories."""

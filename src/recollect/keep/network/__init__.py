"""Links between memories, and their traversal."""

"""Graph nodes and edges as entity-core edits them, and extraction from memories."""

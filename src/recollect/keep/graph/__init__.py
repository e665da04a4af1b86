"""The graph as an embodiment edits it: nodes and edges."""

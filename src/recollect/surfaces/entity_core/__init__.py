"""The self of an agent: identity files, memories and a knowledge graph, shared by its embodiments."""

"""The surface of an entity that keeps who it is, what it lived through and what it knows."""

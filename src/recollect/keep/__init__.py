"""What an entity keeps: identity files, memories, names for moments, and the exchange with its embodiments."""

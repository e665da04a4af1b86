"""Notes: texts that an agent was told, the claims read from them, and how they are remembered."""

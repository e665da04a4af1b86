"""What an agent may ask: sets of tools over the one graph."""

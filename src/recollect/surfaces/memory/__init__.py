"""Drop-in for the reference memory server: entities, observations and relations by name."""

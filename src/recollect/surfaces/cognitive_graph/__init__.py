"""Working memory: people, projects, decisions, concepts and sources."""

"""Working memory outside the head: people, projects, decisions, concepts and sources."""

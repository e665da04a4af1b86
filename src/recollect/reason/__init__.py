"""What follows from the facts: paths, connections, conflicts, decisions, blockers."""

"""What an entity keeps: identity files, memories, graph, artifacts, snapshots, sync, archives."""

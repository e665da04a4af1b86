"""Writing memories: versions, merges, summaries, restore."""

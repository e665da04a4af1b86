"""Memories: kept, addressed, searched, merged."""

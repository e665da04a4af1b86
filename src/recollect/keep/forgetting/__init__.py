"""Physical erasure, for privacy: every version of a thing and what depends on it alone, with tombstones."""

"""Erasure, for privacy: every version of a thing and what rested on it alone, with a tombstone that keeps it away."""

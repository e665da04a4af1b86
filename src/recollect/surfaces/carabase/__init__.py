"""Retrieval by meaning, graph, metadata and time; empty answers say what was tried and what to try next."""

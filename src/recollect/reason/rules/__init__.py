"""The rule language: a read-only subset of openCypher with functions for time."""

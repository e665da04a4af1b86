"""Sync with the instances of an entity: pull, push, conflicts."""

"""Lossless export and import of an entity as an archive."""

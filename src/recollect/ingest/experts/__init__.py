"""Experts: Python packages that know one kind of record well, found by their entry points."""

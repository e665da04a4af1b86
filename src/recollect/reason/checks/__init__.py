"""Consistency engine: contradictions, anachronisms, rule violations and gaps."""

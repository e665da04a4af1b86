"""Measurements over time: declared sources, single rows, and what is left of them once those are gone."""

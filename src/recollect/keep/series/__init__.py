"""Measurements over time: manifests, raw rows, and the daily aggregates that outlive them."""

"""Histories of concurrent calls with faults, checked against the order of the transactions."""

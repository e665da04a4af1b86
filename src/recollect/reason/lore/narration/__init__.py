"""Narration: relations as sentences that each carry the number of the fact they rest on."""

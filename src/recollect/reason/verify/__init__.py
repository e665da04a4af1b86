"""What supports and what opposes a claim, by rules that can be read in the answer."""

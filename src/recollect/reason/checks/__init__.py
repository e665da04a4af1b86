"""The consistency engine: what cannot be so, is out of its time, or hangs in the air."""

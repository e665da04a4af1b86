"""The consistency engine: what cannot be so, what is out of its time, what breaks a rule, what hangs in the air."""

"""Reading a world in time: what was true when, who existed then, and which source says so."""

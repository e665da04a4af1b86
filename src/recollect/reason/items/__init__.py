"""Lists of open and closed items, and the state of each."""

"""Plain text as records: notes, a vault of linked notes, and the seed file that a team begins with."""

"""Reading a record that stands alone: who is in it, what its fields and its sentences say. No model, no guessing."""

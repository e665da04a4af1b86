"""Links between memories, and walks along them."""

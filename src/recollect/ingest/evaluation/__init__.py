"""How well records are read, measured on records whose facts are known."""

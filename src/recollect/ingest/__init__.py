"""How knowledge comes in: formats, lines, documents."""

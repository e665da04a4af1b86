"""The tags around recalled memory, by which it is recognised and never stored again."""

FENCE = "recollect-memory"


def fenced(text: str) -> str:
    """Recalled memory between the tags."""
    return f"<{FENCE}>\n{text.replace(f'</{FENCE}>', '')}\n</{FENCE}>"

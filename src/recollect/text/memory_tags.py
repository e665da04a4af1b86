"""The tags around recalled memory, by which it is recognised and never stored again."""

import re

MEMORY_TAG = "recollect-memory"
_TAG = re.compile(rf"<\s{{0,9}}/?\s{{0,9}}{MEMORY_TAG}[^<>]{{0,99}}>?", re.IGNORECASE)


def add_memory_tags(text: str) -> str:
    """Recalled memory between the tags."""
    return f"<{MEMORY_TAG}>\n{_TAG.sub('', text)}\n</{MEMORY_TAG}>"

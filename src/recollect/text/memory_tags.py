"""The tags around recalled memory, by which it is recognised and never stored again."""

import re

FENCE = "recollect-memory"
_TAG = re.compile(rf"<\s{{0,9}}/?\s{{0,9}}{FENCE}[^<>]{{0,99}}>?", re.IGNORECASE)


def fenced(text: str) -> str:
    """Recalled memory between the tags."""
    return f"<{FENCE}>\n{_TAG.sub('', text)}\n</{FENCE}>"

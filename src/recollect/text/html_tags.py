"""HTML inside Markdown: its tags are no words, so only their text is read."""

import re
from typing import Final

_BLOCKS: Final = frozenset(
    "address article aside blockquote body br center dd details div dl dt figcaption figure footer form h1 h2 "
    "h3 h4 h5 h6 head header hr html li main nav ol p pre section summary table tbody thead tr ul".split()
)
_INLINE: Final = frozenset(
    "a abbr b big button cite code del dfn em font i iframe img input ins kbd label mark meta picture q s samp small "
    "source span strike strong sub sup td th time tt u var video".split()
)
_TAG: Final = re.compile(
    rf"""(?P<code>^(?P<fence>```|~~~).*?^(?P=fence)|`[^`\n]*`)
    |<(?P<unseen>script|style)\b[^<>]*>.{{0,20000}}?</(?P=unseen)\s*>
    |</?(?P<name>{"|".join(sorted(_BLOCKS | _INLINE, key=len, reverse=True))})(?:\s[^<>]*)?/?>""",
    re.MULTILINE | re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
_BLANK_LINES: Final = re.compile(r"\n{3,}")


def strip_html_tags(text: str) -> str:
    """The text without the tags of HTML; those inside code stay, and so do tags of other languages."""
    if "<" not in text:
        return text
    stripped = _TAG.sub(_replacement, text)
    return text if stripped == text else _BLANK_LINES.sub("\n\n", stripped)


def _replacement(found: re.Match[str]) -> str:
    if found["code"]:
        return found[0]
    if found["name"] is None or found["name"].lower() in _INLINE:
        return " " if (found["name"] or "").lower() in ("td", "th") else ""
    line = found.string.rfind("\n", 0, found.start()) + 1
    # A break inside a row of a table would end the row.
    return " " if found.string.startswith("|", line) else "\n"

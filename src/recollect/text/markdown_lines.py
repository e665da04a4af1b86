"""Lines of Markdown as people write them (headings, list items, fences of code), and the HTML tags among them."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

LIST_MARK = r"(?:[-*+•◦‣–]|\d{1,3}[.)])"
"""What begins a list item; a longer number is rather a year."""
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)")
_CLOSING_MARKS = re.compile(r"(?:^|(?<![ \t])[ \t]+)#+[ \t]*$")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")


class HeadingLine(NamedTuple):
    """The level and the text of a heading."""

    level: int
    text: str


def heading_of(line: str) -> HeadingLine | None:
    """The heading that a line is."""
    found = _HEADING.fullmatch(line)
    text = without_closing_marks(found[2]) if found else ""
    return HeadingLine(len(found[1]), text) if found and text else None


def without_closing_marks(title: str) -> str:
    """The text of a heading without the marks that may close it: *Facts* of `Facts ##`."""
    return _CLOSING_MARKS.sub("", title).strip()


def is_fence(line: str) -> bool:
    """Whether a line opens or closes code."""
    return _FENCE.match(line) is not None


def lines_outside_code(text: str, first: int = 1) -> Iterator[tuple[int, str]]:
    """The lines of a text that are not between fences, with their numbers, counted from that of the first."""
    is_code = False
    for number, line in enumerate(text.splitlines(), start=first):
        if is_fence(line):
            is_code = not is_code
        elif not is_code:
            yield number, line


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

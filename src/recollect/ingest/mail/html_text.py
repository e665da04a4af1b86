"""HTML as text."""

import re
from html.parser import HTMLParser

_BLOCK_TAGS = frozenset(
    "p div br li tr table ul ol h1 h2 h3 h4 h5 h6 blockquote section article header footer hr".split()
)
_HIDDEN_TAGS = frozenset("script style head title template".split())
_PARAGRAPH_TAGS = frozenset("p table ul ol h1 h2 h3 h4 h5 h6 blockquote".split())
_CELL_TAGS = frozenset({"td", "th"})
_MAX_QUOTE_DEPTH = 50


_HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}


class _HtmlTextParser(HTMLParser):
    def __init__(self, *, has_headings: bool) -> None:
        super().__init__(convert_charrefs=True)
        self.has_headings = has_headings
        self.lines: list[str] = []
        self.parts: list[str] = []
        """The line that is not ended yet; joined once, since a page may be one long line."""
        self.unseen = 0
        self.quoted = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        self.unseen += tag in _HIDDEN_TAGS
        if tag in _BLOCK_TAGS:
            self._break(tag)
        self.quoted = min(self.quoted + (tag == "blockquote"), _MAX_QUOTE_DEPTH)
        if tag in _CELL_TAGS and any(part.strip() for part in self.parts):
            self._add(" | " if self.has_headings else " ")
        elif tag == "li":
            self._add("- ")
        elif self.has_headings and tag in _HEADINGS:
            self._add(_HEADINGS[tag])

    def handle_endtag(self, tag: str) -> None:
        self.unseen = max(self.unseen - (tag in _HIDDEN_TAGS), 0)
        self.quoted = max(self.quoted - (tag == "blockquote"), 0)
        if tag in _BLOCK_TAGS:
            self._break(tag)

    def handle_data(self, data: str) -> None:
        if not self.unseen:
            folded = " ".join(data.split())
            lead = " " if data[:1].isspace() else ""
            tail = " " if data[-1:].isspace() else ""
            self._add(f"{lead}{folded}{tail}" if folded else lead)

    def _add(self, text: str) -> None:
        if not self.parts:
            text = text.lstrip()
            if text and self.quoted:
                text = "> " * self.quoted + text
        if text:
            self.parts.append(text)

    def _break(self, tag: str) -> None:
        if any(part.strip() for part in self.parts):
            self.end_line()
        if tag in _PARAGRAPH_TAGS and not self.parts and self.lines and self.lines[-1]:
            self.lines.append("")

    def end_line(self) -> None:
        self.lines.append("".join(self.parts).rstrip())
        self.parts = []


_STRAY_BRACKET = re.compile(r"<(?![^<>]*>)")


def html_to_text(html: str, *, has_headings: bool = False) -> str:
    """The visible text of a page, with headings marked as in Markdown on request."""
    parser = _HtmlTextParser(has_headings=has_headings)
    # The parser looks for the end of a tag again and again; so it is shown only tags that have one.
    parser.feed(_STRAY_BRACKET.sub("&lt;", _without_comments(html)))
    parser.close()
    parser.end_line()
    return "\n".join(parser.lines).strip()


def _without_comments(html: str) -> str:
    """The page without its comments; one that never ends is text."""
    kept: list[str] = []
    start = 0
    while (opened := html.find("<!--", start)) >= 0:
        closed = html.find("-->", opened + 4)
        if closed < 0:
            break
        kept.append(html[start:opened])
        start = closed + 3
    return "".join([*kept, html[start:]])

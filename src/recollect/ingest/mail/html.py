"""The text of an HTML mail: its blocks as paragraphs, what it quotes as quoted lines."""

from html.parser import HTMLParser

_BLOCKS = frozenset("p div br li tr table ul ol h1 h2 h3 h4 h5 h6 blockquote section article header footer hr".split())
_UNSEEN = frozenset("script style head title template".split())
_PARAGRAPHS = frozenset("p table ul ol h1 h2 h3 h4 h5 h6 blockquote".split())
_DEEPEST = 50


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = [""]
        self.unseen = 0
        self.quoted = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        self.unseen += tag in _UNSEEN
        if tag in _BLOCKS:
            self._break(tag)
        self.quoted = min(self.quoted + (tag == "blockquote"), _DEEPEST)
        if tag == "li":
            self._add("- ")

    def handle_endtag(self, tag: str) -> None:
        self.unseen = max(self.unseen - (tag in _UNSEEN), 0)
        self.quoted = max(self.quoted - (tag == "blockquote"), 0)
        if tag in _BLOCKS:
            self._break(tag)

    def handle_data(self, data: str) -> None:
        if not self.unseen:
            folded = " ".join(data.split())
            lead = " " if data[:1].isspace() else ""
            tail = " " if data[-1:].isspace() else ""
            self._add(f"{lead}{folded}{tail}" if folded else lead)

    def _add(self, text: str) -> None:
        if not self.lines[-1]:
            text = text.lstrip()
            if text and self.quoted:
                text = "> " * self.quoted + text
        self.lines[-1] += text

    def _break(self, tag: str) -> None:
        if self.lines[-1].strip():
            self.lines.append("")
        if tag in _PARAGRAPHS and len(self.lines) > 1 and self.lines[-2]:
            self.lines.append("")


def text_of_html(html: str) -> str:
    """What a reader of the page would read."""
    parser = _Text()
    parser.feed(html)
    parser.close()
    return "\n".join(line.rstrip() for line in parser.lines).strip()

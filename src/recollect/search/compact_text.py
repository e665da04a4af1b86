"""Prose, pages and code in pieces, with what matters first."""

import re
from collections.abc import Iterator, Sequence

from recollect.search.compact_parts import Body, Wanted
from recollect.search.content_words import content_tokens

_BLANK = re.compile(r"\n[ \t]*\n\s*")
_HEADING = re.compile(r"(#{1,6})[ \t]+\S")
_FENCE = re.compile(r"[ \t]*(```|~~~)")
_DECLARES = re.compile(
    r"[ \t]*(?:(?:export|default|pub|public|private|protected|static|async|abstract|final)[ \t]+)*"
    r"(?:def|class|function|fn|func|interface|struct|type|import)\b"
)


def _matches(text: str, tokens: Sequence[str]) -> int:
    """How often words of the query stand in a text."""
    wanted = set(tokens)
    return sum(token in wanted for token in content_tokens(text)) if wanted else 0


def _by_matches(pieces: Sequence[tuple[int, str]], tokens: Sequence[str]) -> list[int]:
    """Those that match, most matches first."""
    counted = [(_matches(text, tokens), at) for at, text in pieces]
    return [at for count, at in sorted(counted, key=lambda each: (-each[0], each[1])) if count]


def markdown_body(text: str, query: str, tokens: Sequence[str]) -> Body:
    """Paragraphs under their headings; without a query from the top."""
    pieces: list[str] = []
    above: list[tuple[int, int]] = []
    paths: dict[int, tuple[int, ...]] = {}
    headings: set[int] = set()
    for level, piece in _blocks(text):
        at = len(pieces)
        pieces.append(piece)
        if level:
            above = [each for each in above if each[0] < level]
            above.append((level, at))
            headings.add(at)
        else:
            paths[at] = (*(place for _, place in above), at)
    order = _by_matches([(at, pieces[at]) for at in paths], tokens) if query else list(paths)
    wanted = [Wanted(paths[at]) for at in order] or [Wanted((at,)) for at in sorted(headings)]
    return Body(pieces, wanted, "\n\n", "paragraphs", frozenset(headings))


def _blocks(text: str) -> Iterator[tuple[int, str]]:
    """Headings with their level, paragraphs with 0; what stands between fences is one paragraph."""
    held: list[str] = []
    is_fenced = False
    for line in text.split("\n"):
        heading = None if is_fenced else _HEADING.match(line)
        if _FENCE.match(line):
            is_fenced = not is_fenced
        if heading is None and (line.strip() or is_fenced):
            held.append(line)
            continue
        if held:
            yield 0, "\n".join(held)
            held = []
        if heading is not None:
            yield len(heading[1]), line.rstrip()
    if held:
        yield 0, "\n".join(held)


def pdf_body(text: str, query: str, tokens: Sequence[str]) -> Body:
    """Pages by how often words of the query stand on them; without any the first pages."""
    pages = [f"[page {number}]\n{page.strip()}" for number, page in enumerate(text.split("\f"), start=1)]
    order = _by_matches(list(enumerate(pages)), tokens) if query else []
    return Body(pages, [Wanted((at,)) for at in order or range(len(pages))], "\n", "pages")


def plain_body(text: str, query: str, tokens: Sequence[str]) -> Body:
    """The first paragraph, those that match, the last one; without a query all from the top, after these two."""
    pieces = [piece for piece in _BLANK.split(text.strip()) if piece.strip()]
    last = len(pieces) - 1
    matching = _by_matches(list(enumerate(pieces)), tokens)
    order = [0, *matching, last] if query else [0, last, *range(len(pieces))]
    return Body(pieces, [Wanted((at,)) for at in dict.fromkeys(order)], "\n\n", "paragraphs")


def code_body(text: str, query: str, tokens: Sequence[str]) -> Body:
    """The lines that declare something, then the blocks that match, or all from the top."""
    lines = text.split("\n")
    declaring = [Wanted((at,)) for at, line in enumerate(lines) if _DECLARES.match(line)]
    blocks = list(_runs(lines))
    texts = [(at, "\n".join(lines[place] for place in block)) for at, block in enumerate(blocks)]
    order = _by_matches(texts, tokens) if query else range(len(blocks))
    wanted = [*declaring, *(Wanted(blocks[at]) for at in order)]
    return Body(lines, wanted or [Wanted((at,)) for at in range(len(lines))], "\n", "lines")


def _runs(lines: Sequence[str]) -> Iterator[tuple[int, ...]]:
    """Places of lines that no blank line parts."""
    run: list[int] = []
    for at, line in enumerate(lines):
        if line.strip():
            run.append(at)
        elif run:
            yield tuple(run)
            run = []
    if run:
        yield tuple(run)

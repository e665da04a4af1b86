"""Compaction of a body to a token budget: the pieces that its format and a query rank first."""

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import StringIO
from typing import NamedTuple

from recollect.model.names import fold
from recollect.text.content_words import content_tokens
from recollect.text.fold import shorten
from recollect.text.markdown_lines import heading_of, is_fence


class PieceGroup(NamedTuple):
    """One thing to keep: the pieces that belong together, its headings among them."""

    pieces: tuple[int, ...]


class SplitBody(NamedTuple):
    """A body in pieces; `groups` says what to keep, most important first.

    What is not kept is counted in `unit`s; pieces in `uncounted` are none, such as headings.
    """

    pieces: Sequence[str]
    groups: Sequence[PieceGroup]
    joint: str
    unit: str
    uncounted: frozenset[int] = frozenset()


def fit_body(body: SplitBody, room: int) -> str:
    """The most important pieces that fit, in their order, with a marker for the rest."""
    chosen = _choose_pieces(body, room)
    if not chosen:
        return _truncate_first(body, room)
    left_out = sum(at not in chosen and at not in body.uncounted for at in range(len(body.pieces)))
    shown = [body.pieces[at] for at in sorted(chosen)]
    return body.joint.join([*shown, omission_marker(left_out, body.unit)] if left_out else shown)


def omission_marker(count: int, unit: str) -> str:
    return f"[… {count} {unit} omitted]"


def _choose_pieces(body: SplitBody, room: int) -> set[int]:
    joint = len(body.joint)
    chosen: set[int] = set()
    left = room - len(omission_marker(len(body.pieces), body.unit))
    for each in body.groups:
        new = [at for at in each.pieces if at not in chosen]
        cost = sum(len(body.pieces[at]) + joint for at in new)
        if cost > left:
            break
        chosen.update(new)
        left -= cost
    return chosen


def _truncate_first(body: SplitBody, room: int) -> str:
    """As much of the first relevant piece as fits."""
    first = body.groups[0].pieces if body.groups else tuple(range(len(body.pieces)))
    text = body.joint.join(body.pieces[at] for at in first)
    return shorten(text, room)


_DELIMITERS = ",;\t|"
_CONDITION = re.compile(r"""("[^"]+"|(?<![^\s=<>!"])[^\s=<>!"]+)\s*(!=|<=|>=|=|<|>)\s*("[^"]*"|\S+)""")
_COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "<": lambda one, other: one < other,
    "<=": lambda one, other: one <= other,
    ">": lambda one, other: one > other,
    ">=": lambda one, other: one >= other,
}


class CsvCondition(NamedTuple):
    column: int
    sign: str
    value: str


def split_csv(text: str, query: str, tokens: Sequence[str]) -> SplitBody:
    """Header first, then the rows that satisfy every term of the query, or hold a word of it."""
    rows = list(_split_rows(text))
    delimiter = max(_DELIMITERS, key=lambda each: (rows[0].count(each), -_DELIMITERS.index(each))) if rows else ","
    terms = _parse_conditions(query, _split_cells(rows[0], delimiter)) if rows else []
    groups = [
        PieceGroup((at,))
        for at, row in enumerate(rows)
        if at == 0 or _is_wanted(row, delimiter, terms, tokens if query else None)
    ]
    return SplitBody(rows, groups, "\n", "rows")


def _split_rows(text: str) -> Iterator[str]:
    """Lines of the table, however they end; a line break inside quotes belongs to its row."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    start, is_quoted = 0, False
    for at, letter in enumerate(text):
        if letter == '"':
            is_quoted = not is_quoted
        elif letter == "\n" and not is_quoted:
            if at > start:
                yield text[start:at]
            start = at + 1
    if text[start:].strip():
        yield text[start:].strip("\n")


def _split_cells(row: str, delimiter: str) -> list[str]:
    """The cells of a row; all of it is one if no reader of tables can part it."""
    try:
        return next(csv.reader(StringIO(row, newline=""), delimiter=delimiter), [])
    except csv.Error:
        return [row]


def _parse_conditions(query: str, header: Sequence[str]) -> list[CsvCondition]:
    places = {fold(name): at for at, name in enumerate(header)}
    found = (
        (fold(each[1].strip('"')), each[2], each[3].strip('"').rstrip(",;")) for each in _CONDITION.finditer(query)
    )
    return [CsvCondition(places[column], sign, value) for column, sign, value in found if column in places]


def _is_wanted(row: str, delimiter: str, terms: Sequence[CsvCondition], tokens: Sequence[str] | None) -> bool:
    if terms:
        cells = _split_cells(row, delimiter)
        return all(_satisfies(cells, term) for term in terms)
    return tokens is None or not set(tokens).isdisjoint(content_tokens(row))


def _satisfies(cells: Sequence[str], term: CsvCondition) -> bool:
    cell = cells[term.column].strip() if term.column < len(cells) else ""
    one, other = _parse_number(cell), _parse_number(term.value)
    if term.sign in ("=", "!="):
        is_same = one == other if one is not None and other is not None else fold(cell) == fold(term.value)
        return is_same == (term.sign == "=")
    if one is not None and other is not None:
        return _COMPARISONS[term.sign](one, other)
    low, high = fold(cell), fold(term.value)
    return {"<": low < high, "<=": low <= high, ">": low > high, ">=": low >= high}[term.sign] and bool(cell)


def _parse_number(text: str) -> float | None:
    try:
        return float(text.replace(",", "")) if text else None
    except ValueError:
        return None


_BLANK = re.compile(r"\n[ \t]*\n\s*")
_DECLARATION = re.compile(
    r"[ \t]*(?:(?:export|default|pub|public|private|protected|static|async|abstract|final)[ \t]+)*"
    r"(?:def|class|function|fn|func|interface|struct|type|import)\b"
)


def _count_matches(text: str, tokens: Sequence[str]) -> int:
    """How often words of the query stand in a text."""
    wanted = set(tokens)
    return sum(token in wanted for token in content_tokens(text)) if wanted else 0


def _rank_by_matches(pieces: Sequence[tuple[int, str]], tokens: Sequence[str]) -> list[int]:
    """Those that match, most matches first."""
    counted = [(_count_matches(text, tokens), at) for at, text in pieces]
    return [at for count, at in sorted(counted, key=lambda each: (-each[0], each[1])) if count]


def split_markdown(text: str, query: str, tokens: Sequence[str]) -> SplitBody:
    """Paragraphs under their headings; without a query from the top."""
    pieces: list[str] = []
    above: list[tuple[int, int]] = []
    paths: dict[int, tuple[int, ...]] = {}
    headings: set[int] = set()
    for level, piece in _markdown_blocks(text):
        at = len(pieces)
        pieces.append(piece)
        if level:
            above = [each for each in above if each[0] < level]
            above.append((level, at))
            headings.add(at)
        else:
            paths[at] = (*(place for _, place in above), at)
    order = _rank_by_matches([(at, pieces[at]) for at in paths], tokens) if query else list(paths)
    groups = [PieceGroup(paths[at]) for at in order] or [PieceGroup((at,)) for at in sorted(headings)]
    return SplitBody(pieces, groups, "\n\n", "paragraphs", frozenset(headings))


def _markdown_blocks(text: str) -> Iterator[tuple[int, str]]:
    """Headings with their level, paragraphs with 0; what stands between fences is one paragraph."""
    pending: list[str] = []
    is_fenced = False
    for line in text.split("\n"):
        heading = None if is_fenced else heading_of(line)
        if is_fence(line):
            is_fenced = not is_fenced
        if heading is None and (line.strip() or is_fenced):
            pending.append(line)
            continue
        if pending:
            yield 0, "\n".join(pending)
            pending = []
        if heading is not None:
            yield heading.level, line.rstrip()
    if pending:
        yield 0, "\n".join(pending)


def split_pdf(text: str, query: str, tokens: Sequence[str]) -> SplitBody:
    """Pages by how often words of the query stand on them; without any the first pages."""
    pages = [f"[page {number}]\n{page.strip()}" for number, page in enumerate(text.split("\f"), start=1)]
    order = _rank_by_matches(list(enumerate(pages)), tokens) if query else []
    return SplitBody(pages, [PieceGroup((at,)) for at in order or range(len(pages))], "\n", "pages")


def split_plain(text: str, query: str, tokens: Sequence[str]) -> SplitBody:
    """The first paragraph, those that match, the last one; without a query all from the top, after these two."""
    pieces = [piece for piece in _BLANK.split(text.strip()) if piece.strip()]
    last = len(pieces) - 1
    matching = _rank_by_matches(list(enumerate(pieces)), tokens)
    order = [0, *matching, last] if query else [0, last, *range(len(pieces))]
    return SplitBody(pieces, [PieceGroup((at,)) for at in dict.fromkeys(order)], "\n\n", "paragraphs")


def split_code(text: str, query: str, tokens: Sequence[str]) -> SplitBody:
    """The lines that declare something, then the blocks that match, or all from the top."""
    lines = text.split("\n")
    declaring = [PieceGroup((at,)) for at, line in enumerate(lines) if _DECLARATION.match(line)]
    blocks = list(_line_runs(lines))
    texts = [(at, "\n".join(lines[place] for place in block)) for at, block in enumerate(blocks)]
    order = _rank_by_matches(texts, tokens) if query else range(len(blocks))
    groups = [*declaring, *(PieceGroup(blocks[at]) for at in order)]
    return SplitBody(lines, groups or [PieceGroup((at,)) for at in range(len(lines))], "\n", "lines")


def _line_runs(lines: Sequence[str]) -> Iterator[tuple[int, ...]]:
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


CHARACTERS_PER_TOKEN = 4


class CompactedText(NamedTuple):
    """The text as it fits, and how it came to."""

    text: str
    strategy: str
    original_tokens: int

    @property
    def is_shorter(self) -> bool:
        return self.strategy != "none"

    @property
    def kept_tokens(self) -> int:
        return count_tokens(self.text)

    def to_json(self) -> dict[str, object]:
        return {
            "compacted": self.is_shorter,
            "original_tokens": self.original_tokens,
            "kept_tokens": self.kept_tokens,
            "strategy": self.strategy,
        }


def count_tokens(text: str) -> int:
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def compact(body: str, mime: str, budget: int, query: str | None = None) -> CompactedText:
    """The body within the budget, markers included; unchanged if it fits."""
    tokens = count_tokens(body)
    if tokens <= budget:
        return CompactedText(body, "none", tokens)
    strategy = strategy_of(mime)
    cut: Callable[[str, str, Sequence[str]], SplitBody] = _SPLITTERS[strategy]
    parted = cut(body, query or "", list(dict.fromkeys(content_tokens(query or ""))))
    return CompactedText(fit_body(parted, budget * CHARACTERS_PER_TOKEN), strategy, tokens)


def strategy_of(mime: str) -> str:
    """How bodies of a media type are cut."""
    kind = mime.partition(";")[0].strip().lower()
    if kind in ("text/csv", "text/tab-separated-values", "application/csv"):
        return "csv"
    if kind in ("text/markdown", "text/x-markdown"):
        return "markdown"
    if kind == "application/pdf":
        return "pdf"
    is_code = kind.startswith(("text/x-", "application/x-")) or kind in _CODE_TYPES
    return "code" if is_code else "plain"


_CODE_TYPES = frozenset(
    "application/javascript text/javascript application/typescript text/typescript application/ecmascript text/css "
    "application/sql".split()
)
_SPLITTERS: Mapping[str, Callable[[str, str, Sequence[str]], SplitBody]] = {
    "csv": split_csv,
    "markdown": split_markdown,
    "pdf": split_pdf,
    "code": split_code,
    "plain": split_plain,
}

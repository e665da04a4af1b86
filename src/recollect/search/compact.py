"""A body made to fit a number of tokens: what its format and a query say matters most is kept, in its order."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from recollect.search.compact_csv import csv_body
from recollect.search.compact_parts import Body, kept
from recollect.search.compact_text import code_body, markdown_body, pdf_body, plain_body
from recollect.search.content_words import content_tokens

LETTERS_PER_TOKEN = 4


class Compacted(NamedTuple):
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

    def shown(self) -> dict[str, object]:
        return {
            "compacted": self.is_shorter,
            "original_tokens": self.original_tokens,
            "kept_tokens": self.kept_tokens,
            "strategy": self.strategy,
        }


def count_tokens(text: str) -> int:
    return -(-len(text) // LETTERS_PER_TOKEN)


def compact(body: str, mime: str, budget: int, query: str | None = None) -> Compacted:
    """The body within the budget, markers included; unchanged if it fits."""
    tokens = count_tokens(body)
    if tokens <= budget:
        return Compacted(body, "none", tokens)
    strategy = strategy_of(mime)
    cut: Callable[[str, str, Sequence[str]], Body] = _CUT[strategy]
    parted = cut(body, query or "", list(dict.fromkeys(content_tokens(query or ""))))
    return Compacted(kept(parted, budget * LETTERS_PER_TOKEN), strategy, tokens)


def strategy_of(mime: str) -> str:
    """How bodies of a media type are cut."""
    kind = mime.partition(";")[0].strip().lower()
    if kind in ("text/csv", "text/tab-separated-values", "application/csv"):
        return "csv"
    if kind in ("text/markdown", "text/x-markdown"):
        return "markdown"
    if kind == "application/pdf":
        return "pdf"
    is_code = kind.startswith(("text/x-", "application/x-")) or kind in _CODE
    return "code" if is_code else "plain"


_CODE = frozenset(
    "application/javascript text/javascript application/typescript text/typescript application/ecmascript text/css "
    "application/sql".split()
)
_CUT: Mapping[str, Callable[[str, str, Sequence[str]], Body]] = {
    "csv": csv_body,
    "markdown": markdown_body,
    "pdf": pdf_body,
    "code": code_body,
    "plain": plain_body,
}

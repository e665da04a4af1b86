"""Quotes in the documents they come from."""

from dataclasses import dataclass

from recollect.text.verbatim import occurrences

CONTEXT = 220


@dataclass(frozen=True, slots=True)
class QuoteInContext:
    """A quote with the text around it; `start` is its place in the document, None if it does not stand there."""

    before: str
    quote: str
    after: str
    start: int | None


def find_quote(text: str, quote: str) -> tuple[int, int] | None:
    """Where a quote stands in a text, whatever its white space and typography."""
    at = text.find(quote)
    if at >= 0:
        return at, at + len(quote)
    found = next(occurrences(quote, text), None)
    return None if found is None else (found.start, found.stop)


def quote_in_context(text: str, quote: str) -> QuoteInContext | None:
    """The quote as the text has it, with some of the text before and after; None if it does not stand there."""
    place = find_quote(text, quote)
    if place is None:
        return None
    start, stop = place
    before, after = text[max(0, start - CONTEXT) : start], text[stop : stop + CONTEXT]
    if start > CONTEXT:
        before = f"…{before.partition(' ')[2] or before}"
    if stop + CONTEXT < len(text):
        after = f"{after.rpartition(' ')[0] or after}…"
    return QuoteInContext(before, text[start:stop], after, start)

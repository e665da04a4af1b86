"""Texts of both writing directions in one line: names read from right to left stay where the sentence has them."""

import re
from collections.abc import Iterator, Sequence

from markupsafe import Markup, escape

from recollect.serve.web.framework.marked_text import TextRun

_RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff"
_RIGHT_TO_LEFT_SPAN = re.compile(rf"[{_RIGHT_TO_LEFT}](?:[\W\d_]*[{_RIGHT_TO_LEFT}])*")
_LOWER_CASE_WORD = re.compile(r"(?<![A-Za-z])[a-z]+(?![A-Za-z])")
"""What makes a sentence an English one: the words between the names of a fact are in lower case."""


def isolated(text: str) -> Markup:
    """A sentence for a line of its own direction, in which each name from right to left keeps its place."""
    return isolated_runs([TextRun(text)])


def isolated_runs(runs: Sequence[TextRun]) -> Markup:
    """The same with marks."""
    text = "".join(run.text for run in runs)
    spans = [match.span() for match in _RIGHT_TO_LEFT_SPAN.finditer(text)]
    if not spans or not _LOWER_CASE_WORD.search(text):
        return Markup("<bdi>{}</bdi>").format(Markup("").join(_print(run) for run in runs))
    return Markup('<bdi dir="ltr">{}</bdi>').format(Markup("").join(_with_isolates(runs, spans, len(text))))


def _with_isolates(runs: Sequence[TextRun], spans: Sequence[tuple[int, int]], length: int) -> Iterator[Markup]:
    at = 0
    for start, stop in [*spans, (length, length)]:
        yield _slice(runs, at, start)
        if start < stop:
            yield Markup("<bdi>{}</bdi>").format(_slice(runs, start, stop))
        at = stop


def _slice(runs: Sequence[TextRun], start: int, stop: int) -> Markup:
    """The part of a text between two places, with its marks."""
    parts, begin = [], 0
    for run in runs:
        piece = run.text[max(0, start - begin) : max(0, stop - begin)]
        if piece:
            parts.append(_print(TextRun(piece, run.is_marked)))
        begin += len(run.text)
    return Markup("").join(parts)


def _print(run: TextRun) -> Markup:
    return Markup("<mark>{}</mark>").format(run.text) if run.is_marked else escape(run.text)

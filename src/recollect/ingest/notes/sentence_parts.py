"""The statements of a sentence that has several, and those of them that nothing was read from."""

from collections.abc import Iterator, Sequence

from recollect.reading.state import State
from recollect.text.patterns import lazy_pattern
from recollect.text.sentences import TextSpan
from recollect.text.verbs import is_past_form

_JOINT = lazy_pattern(
    r",?\s+(?:and|but|so)\s+(?:also |then |now )?|;\s+"
    r"|,\s+(?=(?:I|we|he|she|they|my|our|his|her|the|it|[A-Z][\w-]+)(?:['’]\w+)?\s)"
)
_VERB = r"(?:is|are|was|were|has|have|had|will|can|\w{2,}(?:s|ed))"
_STATEMENT = lazy_pattern(
    r"(?:I|[Ww]e|he|she|they|it)(?:['’]\w+)? \w"
    rf"|(?:[Mm]y|[Oo]ur|his|her|their|the) [\w -]{{1,30}}? {_VERB}\b|[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)? {_VERB}\b"
)
_SHARING = frozenset("is are was were has have will".split())
_FEWEST_WORDS = 3
"""A joint has a statement before it only if it has so many words: `Carla and I got married` is one statement."""


def unread_parts(sentence: str, states: Sequence[State], quotes: Sequence[str]) -> list[str]:
    """The statements of a sentence that hold neither the value of a state that was read nor any quoted words."""
    places = [sentence.find(state.target or "") for state in states]
    spans = [TextSpan(at, at + len(quote)) for quote in quotes if (at := sentence.find(quote)) >= 0]
    if -1 in places or len(spans) < len(quotes):
        return []  # where it was read cannot be told
    denied = [sentence.find(each) for state in states for each in state.ruled_out]
    spans += [TextSpan(at, at + 1) for at in (*places, *denied) if at >= 0]
    parts = list(statements(sentence))
    unread = [part for part in parts if not any(each.start < part.stop and part.start < each.stop for each in spans)]
    left = [sentence[part.start : part.stop].strip(" ,;") for part in unread if len(unread) < len(parts)]
    return [part for part in left if not _is_end_of_any(part, states)]


def _is_end_of_any(part: str, states: Sequence[State]) -> bool:
    """Whether a part told the end of a state: `left in 2023` after `joined Acme in 2019`."""
    has_end = any(state.bounds.valid_until is not None for state in states)
    return has_end and part.split(" ", 1)[0] in ("left", "quit", "resigned", "retired", "departed")


def statements(sentence: str) -> Iterator[TextSpan]:
    """Where the statements of a sentence stand that has several."""
    start = 0
    for joint in _JOINT.finditer(sentence):
        is_long = len(sentence[start : joint.start()].split()) >= _FEWEST_WORDS
        if is_long and _is_statement(sentence[joint.end() :]):
            yield TextSpan(start, joint.start())
            start = joint.end()
    yield TextSpan(start, len(sentence))


def _is_statement(text: str) -> bool:
    """Whether words begin with a subject and its verb, or with a verb that shares the subject before."""
    first, *rest = text.split()
    return bool(rest) and (_STATEMENT.match(text) is not None or is_past_form(first) or first in _SHARING)

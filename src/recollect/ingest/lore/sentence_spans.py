"""Sentences of lore prose: where each begins and ends, and whether it asserts anything."""

import re
from collections.abc import Sequence

from recollect.resolve.name_finder import NameSpan
from recollect.text.sentences import TextSpan, blocks, spans_in_block

SentenceSpan = TextSpan


def sentence_spans(text: str, names: Sequence[NameSpan]) -> list[SentenceSpan]:
    """The sentences of a text with the markers of list items and headings; no name is cut in two."""
    unbroken = [TextSpan(each.start, each.stop) for each in names]
    found: list[SentenceSpan] = []
    for block in blocks(text):
        spans = list(spans_in_block(text, block.body, block.stop, "prose", unbroken))
        found += [TextSpan(block.start, spans[0].stop), *spans[1:]] if spans else []
    return found


_ANYWHERE = re.compile(
    r"\b(?:if|unless|whether|perhaps|maybe|suppose|supposing|lest|allegedly|supposedly|reportedly|apparently|presumably"
    r"|possibly|as though|would have|could have|might have|(?:so|or so) (?:it is|they) (?:said|say|claim))\b",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"\b(?:it (?:is|was|has been) (?:said|claimed|rumou?red|believed|thought|told|alleged|written)"
    r"|(?:some|many|they|others|people|rumou?rs?|legends?|tales?|stories|songs?|myths?) (?:\w+ )?"
    r"(?:say|says|said|claim|claims|claimed|believe|believed|hold|holds|held|tell|tells|told|whisper|has it|have it)"
    r"|claim(?:s|ed)? that|according to|neither|nor|never|denie[sd] that|false that|not true that"
    r"|dreamed|wished|hoped)\b",
    re.IGNORECASE,
)
_HAD = re.compile(r"(?:^|[\s,;])(?:had|were|should) (?:the )?$", re.IGNORECASE)


def is_unasserted(text: str, span: SentenceSpan, names: Sequence[NameSpan]) -> bool:
    """Whether a sentence is a question, a doubt, a supposition or hearsay."""
    sentence = text[span.start : span.stop]
    first, last = names[0].start, names[-1].start
    if _ANYWHERE.search(sentence) or sentence.rstrip(" \t\n\"'”’)").endswith("?"):
        return True
    return _BEFORE.search(text, span.start, last) is not None or _HAD.search(text[span.start : first]) is not None

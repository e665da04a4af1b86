"""Sentences that only consider, ask or pass on what they say, and so state nothing."""

import re
from collections.abc import Sequence

from recollect.ingest.lore.sentence_spans import Span
from recollect.resolve.spot import Spotted

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


def is_doubted(text: str, span: Span, names: Sequence[Spotted]) -> bool:
    """Whether a sentence asks, doubts, imagines or only reports."""
    sentence = text[span.start : span.stop]
    first, last = names[0].start, names[-1].start
    if _ANYWHERE.search(sentence) or sentence.rstrip(" \t\n\"'”’)").endswith("?"):
        return True
    return _BEFORE.search(text, span.start, last) is not None or _HAD.search(text[span.start : first]) is not None

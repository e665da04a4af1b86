"""What a sentence tells by its own words, whatever stands around it: found once for all texts that have it."""

from typing import NamedTuple

from recollect.reading.language import language_alone
from recollect.reading.nonveridical import drafted_text_start, is_hypothetical, may_be_unmeant
from recollect.reading.retractions import may_take_back
from recollect.text.caching import cache_short
from recollect.text.patterns import PatternGroup, lazy_pattern
from recollect.text.quotations import mask_quoted_words

ONLY_JOKING = lazy_pattern(r"(?i:\W*(?:(?:i'?m |i am )?(?:just |only )?(?:kidding|joking)|jk|j/k)\b\W*$)")
_JOKES = PatternGroup((ONLY_JOKING,), lambda pattern: pattern)
_SENTENCES_KEPT = 8_192


class SentenceFeatures(NamedTuple):
    """The words of a sentence in small letters, also without what they quote, and what these tell.

    `language` is the one that it would be in by itself, empty where it is too short to tell.
    """

    low: str
    said: str
    language: str
    is_drafted: bool
    is_invented: bool
    may_joke: bool
    may_take_back: bool


@cache_short(_SENTENCES_KEPT, longest=1_500)
def sentence_features(text: str) -> SentenceFeatures:
    low = text.lower()
    low = (low if len(low) == len(text) else text).replace("’", "'").replace("‘", "'")
    is_suspect = may_be_unmeant(low)
    return SentenceFeatures(
        low,
        mask_quoted_words(low),
        language_alone(text),
        is_suspect and drafted_text_start(low) is not None,
        is_suspect and is_hypothetical(low),
        _JOKES.may_match(low),
        may_take_back(text),
    )

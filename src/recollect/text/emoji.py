"""Signs that decorate a message and say nothing by themselves: emoji, and faces made of punctuation."""

import re

from recollect.text.stop_words import FUNCTION_WORDS

_PICTURE = "[\U0001f1e6-\U0001f1ff\U0001f300-\U0001faff\u2600-\u27bf\u2b50\u2b55\u2764]"
_DECORATION = re.compile(
    rf"(?<!\s)\s*(?:{_PICTURE}[\ufe0e\ufe0f\u200d\U0001f3fb-\U0001f3ff]*\s*)+(?P<mark>[.,;:!?…]*)"
    r"|(?<!\s)\s+[:=]-?[)(DP](?=\s|[.,;!?…]|$)"
)
_DOUBT = re.compile("[🤔🤨🤷❓❔❌🚫👎🙃]")
"""Pictures that take back what is said beside them."""


def without_emoji(text: str) -> str:
    """The text without emoji and faces, unless one doubts what is said, or is all that is: "it is 🦄"."""
    if text.isascii() and ":" not in text and "=" not in text:
        return text
    if _DOUBT.search(text):
        return text
    plain = _DECORATION.sub(lambda found: found["mark"] or " ", text).strip()
    return text if plain.rstrip(" .!").rpartition(" ")[2].casefold() in FUNCTION_WORDS else plain

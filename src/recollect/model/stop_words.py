"""Former place of `recollect.text.stop_words`."""

from recollect.text.stop_words import STOP_WORDS

__all__ = ["STOP_WORDS"]

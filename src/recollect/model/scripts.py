"""Former place of `recollect.text.scripts`."""

from recollect.text.scripts import LETTER, UNSPACED_RUN

__all__ = ["LETTER", "UNSPACED_RUN"]

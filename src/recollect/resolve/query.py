"""A text to be resolved, folded and cut once."""

import re
from dataclasses import dataclass
from functools import cached_property

from recollect.model import names

_LIST_BREAK = re.compile(r"(?:(?<!\s)\s+)?(?:,|&|\+|(?<!\S)and(?!\S))\s*")


@dataclass(frozen=True)
class NameQuery:
    """The text as written and the forms that probes compare, each made when first wanted."""

    text: str

    @cached_property
    def folded(self) -> str:
        return names.fold(self.text)

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        return names.tokens(self.folded)

    @cached_property
    def key(self) -> str:
        return " ".join(self.tokens)

    @cached_property
    def digits(self) -> str:
        return names.digits(self.folded)

    @property
    def is_too_short(self) -> bool:
        """Whether only equality may match the text."""
        return len(self.folded) < 3 or not self.tokens

    @property
    def parts(self) -> tuple[str, ...]:
        """The items of a list; just the text when it is none."""
        return tuple(part for part in _LIST_BREAK.split(self.folded) if part)

"""Regular expressions: ours, compiled when they are first used, and those that users write, with a time limit.

Those that describe a language take longer to compile than most commands run, and most commands read no text.
"""

import re
from functools import lru_cache
from typing import Any, cast

from recollect.errors import Refused

PATTERN_SECONDS = 0.5

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split", "pattern", "flags", "groups")


class _LazyPattern:
    """Behaves as the compiled pattern; its methods are bound at the first use, so that later calls cost no more."""

    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name not in (*_METHODS, "groupindex"):
            raise AttributeError(name)
        compiled = re.compile(self._source, self._flags)
        self.__dict__.update({each: getattr(compiled, each) for each in (*_METHODS, "groupindex")})
        return self.__dict__[name]


def lazy_pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern of a regular expression, compiled at its first use."""
    return cast(re.Pattern[str], _LazyPattern(source, flags))


class BadPattern(Refused):
    """A regular expression that is not valid, or that takes too long on some text."""

    def __init__(self, source: str, why: str) -> None:
        super().__init__(f"the regular expression {source[:100]!r} {why}", field="pattern")


class UserPattern:
    """A regular expression that a user wrote; each search has a time limit, since some take exponential time."""

    def __init__(self, source: str) -> None:
        import regex

        self.source = source
        try:
            self._compiled = regex.compile(source)
        except (regex.error, OverflowError, RecursionError):
            raise BadPattern(source, "is not valid") from None

    def is_found_in(self, text: str) -> bool:
        return self._is_match("search", text)

    def matches(self, text: str) -> bool:
        """Whether it matches the whole text."""
        return self._is_match("fullmatch", text)

    def _is_match(self, method: str, text: str) -> bool:
        try:
            return getattr(self._compiled, method)(text, timeout=PATTERN_SECONDS) is not None
        except TimeoutError:
            raise BadPattern(self.source, f"took longer than {PATTERN_SECONDS} seconds; simplify it") from None


@lru_cache(256)
def user_pattern(source: str) -> UserPattern:
    """The pattern, compiled once; `BadPattern` if it is not valid."""
    return UserPattern(source)

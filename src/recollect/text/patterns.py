"""Regular expressions that are compiled when they are first used.

Those that describe a language take longer to compile than most commands run, and most commands read no text.
"""

import re
from typing import Any, cast

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

"""Caches of what functions find in texts."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

Found = TypeVar("Found")


def cache_short(size: int, longest: int) -> Callable[[Callable[[str], Found]], Callable[[str], Found]]:
    """Remember what a function finds in texts up to a length: longer ones fill the memory and seldom come twice."""

    def decorate(function: Callable[[str], Found]) -> Callable[[str], Found]:
        cached = lru_cache(size)(function)

        @wraps(function)
        def find(text: str) -> Found:
            return cached(text) if len(text) <= longest else function(text)

        return find

    return decorate

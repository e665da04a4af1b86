"""Whether a thread indexes a workspace in the background, and how it is woken."""

from collections.abc import Callable


class BackgroundIndexer:
    """Kept in the cache of a workspace; without `wake` nothing but reads and commands index it."""

    wake: Callable[[], None] | None = None

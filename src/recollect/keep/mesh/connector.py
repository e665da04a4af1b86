"""What gives a body: first how large it is, without reading it, then the body itself."""

from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import NamedTuple, Protocol

from recollect.keep.mesh.problems import BadUri, FetchFailed

LARGEST = 20 * 1024 * 1024
LONGEST_SECONDS = 10.0


class Stat(NamedTuple):
    """How many bytes a body has, as its listing says."""

    size: int


class Body(NamedTuple):
    title: str | None
    mime: str
    text: str


class Deadline:
    """When a fetch has taken too long."""

    def __init__(self, seconds: float = LONGEST_SECONDS) -> None:
        self._until = monotonic() + seconds

    def check(self) -> None:
        if monotonic() > self._until:
            raise FetchFailed(f"it took more than {LONGEST_SECONDS:g} seconds")


class Connector(Protocol):
    """A plug-in: two functions over an account's path and the keys of an address."""

    def stat(self, path: Path, keys: Mapping[str, str], deadline: Deadline) -> Stat:
        """How large the item is; `NotThere` if there is none."""

    def fetch(self, path: Path, keys: Mapping[str, str], deadline: Deadline) -> Body:
        """The item's text."""


def only_key(keys: Mapping[str, str], name: str) -> str:
    """The value of the one key that a connector takes."""
    if set(keys) != {name}:
        raise BadUri(f"this connector takes exactly the keys account and {name}")
    return keys[name]


def check_size(size: int) -> None:
    if size > LARGEST:
        raise FetchFailed(f"it has {size} bytes; the most is {LARGEST}")

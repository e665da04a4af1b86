"""How an export of chats is to be taken in."""

from dataclasses import dataclass
from datetime import date, tzinfo
from typing import Literal


@dataclass(frozen=True, slots=True)
class Options:
    """What its user may choose."""

    instance: str | None = None
    zone: tzinfo | None = None
    assistant: str | None = None
    memories: Literal["daily", "none"] = "daily"
    since: date | None = None
    dry_run: bool = False

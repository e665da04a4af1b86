"""Options of a chat import; a module of its own, since every `recollect ingest` loads it and few load the importer."""

from dataclasses import dataclass
from datetime import date, tzinfo
from typing import Literal


@dataclass(frozen=True, slots=True)
class ChatImportOptions:
    """Whose memories a chat becomes, how its times are read, and what is stored of it."""

    instance: str | None = None
    zone: tzinfo | None = None
    assistant: str | None = None
    memories: Literal["daily", "none"] = "daily"
    since: date | None = None
    dry_run: bool = False

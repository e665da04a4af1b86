"""OpenAI Agents SDK: a session kept in this memory (openai-agents 0.24); it needs nothing of the package."""

import asyncio
from collections.abc import Mapping
from typing import Any

from recollect.adapters.item_store import SessionLog, opened, used_by
from recollect.surfaces.everyday_memory import EverydayMemory


class RecollectSession:
    """The history of one session, as the SDK's `Session` protocol asks for it; `recall` finds its messages too.

    With `learn`, what the user writes is also read for facts, as `remember` does.
    """

    def __init__(
        self,
        session_id: str,
        memory: EverydayMemory | str | None = None,
        *,
        learn: bool = False,
        session_settings: Any = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings = session_settings
        self.memory = opened(memory)
        self.learn = learn
        self._log = SessionLog(used_by(self.memory, "openai-agents"), session_id)

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """The items in order; with a limit, or one of the session's settings, the latest ones."""
        most = getattr(self.session_settings, "limit", None) if limit is None else limit
        return await asyncio.to_thread(self._log.entries, most)

    async def add_items(self, items: list[Any]) -> None:
        await asyncio.to_thread(self._add, items)

    async def pop_item(self) -> Any | None:
        """The latest item, which is deleted; None if there is none."""
        return await asyncio.to_thread(self._log.pop)

    async def clear_session(self) -> None:
        await asyncio.to_thread(self._log.clear)

    def _add(self, items: list[Any]) -> None:
        if items:
            self._log.add(items, lambda item: [] if self._is_learned(item) else _texts_of(item))
        for each in filter(self._is_learned, items):
            for text in filter(str.strip, _texts_of(each)):
                self.memory.remember(text, source=f"session {self.session_id}")

    def _is_learned(self, item: Mapping[str, Any]) -> bool:
        """Whether an item is remembered as well, and so found there."""
        return self.learn and item.get("role") == "user"


def _texts_of(item: Mapping[str, Any]) -> list[str]:
    """The words of a message, and what a tool returned; nothing else of an item is text for people."""
    content = item.get("content", item.get("output"))
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else ()
    return [part["text"] for part in parts if isinstance(part, Mapping) and isinstance(part.get("text"), str)]

"""LangChain: a retriever over everything known, and a chat history (langchain-core 1.7)."""

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.documents import Document as LangChainDocument
from langchain_core.messages import BaseMessage, message_to_dict, messages_from_dict
from langchain_core.retrievers import BaseRetriever
from pydantic import PrivateAttr

from recollect.adapters.item_store import SessionLog, opened, used_by
from recollect.search.recall import RecallKind
from recollect.surfaces.everyday_memory import EverydayMemory


class RecollectRetriever(BaseRetriever):
    """What `recall` finds, as documents: the text, with id, kind, source and times as metadata."""

    k: int = 10
    about: str | None = None
    kinds: Sequence[RecallKind] | None = None
    max_tokens: int = 4_000
    _memory: EverydayMemory = PrivateAttr()

    def __init__(self, memory: EverydayMemory | str | None = None, **others: Any) -> None:
        super().__init__(**others)
        self._memory = opened(memory)

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002 - the signature is LangChain's
    ) -> list[LangChainDocument]:
        found = self._memory.recall(query, about=self.about, kinds=self.kinds, max_tokens=self.max_tokens)
        return [_document(each) for each in found["results"][: self.k]]


def _document(result: Mapping[str, Any]) -> LangChainDocument:
    rest = {name: value for name, value in result.items() if name != "text"}
    return LangChainDocument(page_content=result["text"], metadata=rest, id=result["id"])


class RecollectChatHistory(BaseChatMessageHistory):
    """The messages of one session, kept in this memory, so that `recall` finds them too.

    With `learn`, what people write is also read for facts, as `remember` does.
    """

    def __init__(
        self, session_id: str, memory: EverydayMemory | str | None = None, *, learn: bool = False, **others: Any
    ) -> None:
        super().__init__(**others)
        self.session_id = session_id
        self.memory = opened(memory)
        self.learn = learn
        self._log = SessionLog(used_by(self.memory, "langchain"), session_id)

    @property
    def messages(self) -> list[BaseMessage]:
        found: list[BaseMessage] = messages_from_dict(self._log.entries())
        return found

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        self._log.add([message_to_dict(each) for each in messages], self._found_by)
        for each in messages if self.learn else ():
            if each.type == "human" and str(each.text).strip():
                self.memory.remember(str(each.text), source=f"session {self.session_id}")

    def _found_by(self, entry: Mapping[str, Any]) -> list[str]:
        """The texts that search finds a message by; what is remembered as well is found there."""
        return [] if self.learn and entry["type"] == "human" else _texts_of(entry)

    def clear(self) -> None:
        self._log.clear()


def _texts_of(entry: Mapping[str, Any]) -> list[str]:
    """The words of a stored message, without its ids and other metadata."""
    content = entry["data"].get("content")
    parts = [content] if isinstance(content, str) else content or ()
    return [part if isinstance(part, str) else part.get("text") or "" for part in parts]

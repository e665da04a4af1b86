"""How far the words of a passage are trusted: in a chat that the owner had, the answers are not the owner's words."""

from collections.abc import Mapping
from typing import Any

from recollect.model.document import CONVERSATION, Document
from recollect.model.trust import SOURCE_TRUST, lower_trust, suspicions_in, trust_in
from recollect.store.document_queries import has_answer_within
from recollect.store.view import View
from recollect.text.prompt_injection import Suspicion

_END = 2**31 - 1


def passage_marks(view: View, document: Document, span: tuple[int, int] | None = None) -> Mapping[str, Any]:
    """The marks of the words between two places of a document, or of all: what an assistant answered is unknown."""
    since, until = span or (0, _END)
    if document.kind != CONVERSATION or not has_answer_within(view, document.id, since, until):
        return document.properties
    return {**document.properties, SOURCE_TRUST: lower_trust(trust_in(document.properties), "unknown")}


def self_written_markup(document: Document) -> tuple[Suspicion, ...]:
    """What looks like an attack in a passage only because we wrote it: in a chat we name who speaks.

    If a turn names a speaker itself, the chat was marked for it when it was taken in.
    """
    is_ours = document.kind == CONVERSATION and "markup" not in suspicions_in(document.properties)
    return ("markup",) if is_ours else ()

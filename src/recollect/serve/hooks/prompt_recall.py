"""What a hook recalls for a prompt. Apart from the start of a session: each loads at once only what it needs."""

import re
from collections.abc import Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING

from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.fact import Fact
from recollect.model.history import is_current
from recollect.model.ids import FactId, format_document_id
from recollect.model.trust import suspicions_in
from recollect.reason.items.fact_state import is_item
from recollect.search.fact_search import FactQuestion, find_facts
from recollect.search.index_terms import question_forms, salient_tokens
from recollect.serve.hooks.context import (
    CHARACTERS_PER_TOKEN,
    ContextBlock,
    Line,
    fact_lines,
    may_be_shown,
    origin_mark,
)
from recollect.store.view import View

if TYPE_CHECKING:
    from recollect.search.recall_results import RecalledPassage

PROMPT_CHARACTERS = 500 * CHARACTERS_PER_TOKEN
LONGEST_QUERY = 1_000
SHORTEST_QUERY = 12
MOST_LINES = 12
SHARED_WORDS = 2
"""Without vectors, this many salient words must be shared: one alone says little about a long prompt."""

MOST_WAITING = 4
"""Each fact that has no vector yet takes the model 7 ms, which a person who has just sent a prompt waits for."""


def add_recall(block: ContextBlock, memory: Memory, prompt: str, scope: str, *, by_meaning: bool) -> None:
    """What is relevant to a prompt; nothing for one that asks nothing in particular."""
    query = _query(prompt)
    salient = salient_tokens(question_forms(query)) if query else frozenset()
    if not salient:
        return
    with memory.read() as view:
        lines = _by_meaning(memory, view, query) if by_meaning else _by_words(view, query, salient)
        block.add(f"## May matter here ({scope})", lines[:MOST_LINES])


def _by_words(view: View, query: str, salient: frozenset[str]) -> list[Line]:
    """Facts that share words or names with a prompt: what a process can find that has just started."""
    hits = [hit for hit in find_facts(view, FactQuestion(query), None) if is_current(hit.row.fact, view.world.present)]
    near = [hit for hit in hits if len(salient & hit.words) >= min(SHARED_WORDS, len(salient))]
    closed = _closed_among(view, [hit.row.fact for hit in near])
    return fact_lines(view, [hit.row for hit in near if hit.row.fact.id not in closed])


def _by_meaning(memory: Memory, view: View, query: str) -> list[Line]:
    """Facts and passages that answer a prompt, as `recall` ranks them."""
    from recollect.search.recall import RecallRequest, recall
    from recollect.search.recall_results import RecalledFact, RecalledPassage
    from recollect.write.owner import find_owner

    owner = find_owner(view)
    about_me = None if owner is None else owner.id
    request = RecallRequest(
        query, view.world.present, owner=about_me, with_near_misses=False, most_waiting=MOST_WAITING
    )
    found = recall(memory, view, request, partial(_closed_among, view))
    documents = view.documents({each.chunk.document for each in found if isinstance(each, RecalledPassage)})
    lines: list[Line] = []
    for each in found:
        if isinstance(each, RecalledFact) and not each.is_past:
            lines += fact_lines(view, [each.row])
        elif isinstance(each, RecalledPassage) and not each.is_outdated:
            lines += _passage_lines(view, documents[each.chunk.document], each)
    return lines


def _closed_among(view: View, facts: Sequence[Fact]) -> Collection[FactId]:
    items = {fact.subject for fact in facts if is_item(fact)}
    if not items:
        return ()
    from recollect.reason.items.item_lookup import closed_items

    return closed_items(view, items)


def _query(prompt: str) -> str:
    """The words of a prompt that may ask for something: no commands, no code, no recalled memory."""
    text = re.sub(r"<[^<>]*>|```.*?(?:```|\Z)|https?://\S+", " ", prompt, flags=re.DOTALL)
    text = " ".join(text.split())[:LONGEST_QUERY]
    return "" if len(text) < SHORTEST_QUERY or prompt.lstrip().startswith("/") else text


def _passage_lines(view: View, document: Document, passage: "RecalledPassage") -> list[Line]:
    """A passage as a line; none if its document is not trusted."""
    from recollect.search.passage_trust import passage_marks

    marks = passage_marks(view, document, (passage.chunk.start, passage.chunk.stop))
    if not may_be_shown(marks) or suspicions_in(marks):
        return []
    title = f"{document.title}: " if document.title and document.title not in passage.body else ""
    quoted = " ".join(passage.body.split()).replace('"', "'")
    return [(format_document_id(document.id), f'{origin_mark(marks)}{title}"{quoted}"')]

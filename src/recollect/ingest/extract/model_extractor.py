"""Extraction by a language model: prompt, schema and splitting of long texts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from recollect.llm.answers import DATA_RULE, MAYBE, TEXT, ask_with_schema, delimit_text, is_of_schema, lists_of
from recollect.llm.port import Json, LanguageModel, ModelRequest
from recollect.model.document import Document
from recollect.model.fact import LABELS
from recollect.when.instant import format_instant

Vocabulary = tuple[Sequence[str], Sequence[str]]
MAX_PART_CHARS = 6_000
MAX_PARTS = 200
MAX_ITEMS = 100
ITEM_SCHEMAS: Mapping[str, Json] = {
    "entities": {
        "type": "object",
        "properties": {"name": TEXT, "type": TEXT, "aliases": {"type": "array", "items": TEXT}},
        "required": ["name", "type"],
        "additionalProperties": False,
    },
    "facts": {
        "type": "object",
        "properties": {
            "edge_label": {"enum": list(LABELS)},
            "fact_type": TEXT,
            "from": TEXT,
            "to": MAYBE,
            "fact": TEXT,
            "quote": TEXT,
            "confidence": {"enum": ["stated", "inferred"]},
            "valid_from": MAYBE,
            "valid_until": MAYBE,
        },
        "required": ["edge_label", "fact_type", "from", "to", "fact", "quote", "confidence"],
        "additionalProperties": False,
    },
}
SCHEMA = lists_of(MAX_ITEMS, **ITEM_SCHEMAS)
LISTS = lists_of(MAX_ITEMS, **{key: {} for key in ITEM_SCHEMAS})
"""What an answer must at least be; items are checked one by one."""
SYSTEM = f"""You read one record of a team (a mail, an issue, a note) and note who and what it names and what it says.

- An entity has a name exactly as the record writes it and a type: Person, Company, Project, or another word that fits.
- A fact joins two entities, or says something of one (to is null). AFFILIATED: a lasting tie (employee, contractor,
  advisor, founder, investor, owner, contributor, reviewer, …). ASSERTED: something said (commitment, promise, decision,
  opinion, concern, blocker, request, update, risk, goal, reference, …). TRANSITIONED: something that changed
  (status_change, role_change, ownership_change, resolution, completion, cancellation, …).
- `fact` is the claim in one short sentence; `quote` is copied from the record, word for word.
- valid_until is a deadline or an end as a date (2026-03-16), only where the record says so.
- "I" and "we" mean the speaker. Leave out conditions, questions, quoted mails, and whatever the record does not say.

{DATA_RULE}"""


NO_VOCABULARY: Vocabulary = ((), ())


def _system_prompt(vocabulary: Vocabulary) -> str:
    entity_types, fact_types = (", ".join(names) for names in vocabulary)
    further = f"- Further types of entities: {entity_types}.\n" if entity_types else ""
    further += f"- Further types of facts: {fact_types}.\n" if fact_types else ""
    return SYSTEM.replace(f"\n{DATA_RULE}", f"{further}\n{DATA_RULE}") if further else SYSTEM


def extract_with_model(
    model: LanguageModel, document: Document, text: str, speaker: str | None, vocabulary: Vocabulary = NO_VOCABULARY
) -> dict[str, list[Any]]:
    """What a model finds in a record, in bundle form and not yet grounded; a malformed item is None.

    `vocabulary` are the types of entities and of facts that are in use beside the built-in ones.
    """
    found: dict[str, list[Any]] = {"entities": [], "facts": []}
    about = [
        f"type: {document.type}",
        f"made at: {format_instant(document.source_at)}",
        f"speaker: {speaker or 'unknown'}",
        f"title: {' '.join((document.title or '').split())[:300]}",
    ]
    for part in split_for_model(text):
        answer = ask_with_schema(
            model,
            ModelRequest(
                _system_prompt(vocabulary), delimit_text("\n".join([*about, "", part]), "RECORD"), SCHEMA, 4000
            ),
            LISTS,
        )
        for key, items in found.items():
            items += [_drop_nulls(item) if is_of_schema(item, ITEM_SCHEMAS[key]) else None for item in answer[key]]
    return found


def split_for_model(text: str) -> Iterator[str]:
    """The text in parts that a model can read at once, cut between paragraphs where that is possible."""
    start = 0
    for _ in range(MAX_PARTS):
        if start >= len(text):
            return
        stop = min(start + MAX_PART_CHARS, len(text))
        cut = text.rfind("\n\n", start + MAX_PART_CHARS // 2, stop) if stop < len(text) else -1
        stop = cut if cut > start else stop
        if text[start:stop].strip():
            yield text[start:stop]
        start = stop


def _drop_nulls(fact: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in fact.items() if value is not None or key == "to"}

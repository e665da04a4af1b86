"""Reading a record with a language model: part by part, in bundle form, a quote for every fact."""

from collections.abc import Iterator, Sequence
from typing import Any

from recollect.llm.answers import answered
from recollect.llm.fence import RULE, fenced
from recollect.llm.port import Ask, Model
from recollect.llm.schema import MAYBE, TEXT, lists_of
from recollect.model.document import Document
from recollect.model.fact import LABELS
from recollect.when.instant import say_instant

Vocabulary = tuple[Sequence[str], Sequence[str]]
LONGEST_PART = 6_000
MOST_PARTS = 200
MOST_ITEMS = 100
SCHEMA = lists_of(
    MOST_ITEMS,
    entities={
        "type": "object",
        "properties": {"name": TEXT, "type": TEXT, "aliases": {"type": "array", "items": TEXT}},
        "required": ["name", "type"],
        "additionalProperties": False,
    },
    facts={
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
)
SYSTEM = f"""You read one record of a team (a mail, an issue, a note) and note who and what it names and what it says.

- An entity has a name exactly as the record writes it and a type: Person, Company, Project, or another word that fits.
- A fact joins two entities, or says something of one (to is null). AFFILIATED: a lasting tie (employee, contractor,
  advisor, founder, investor, owner, contributor, reviewer, …). ASSERTED: something said (commitment, promise, decision,
  opinion, concern, blocker, request, update, risk, goal, reference, …). TRANSITIONED: something that changed
  (status_change, role_change, ownership_change, resolution, completion, cancellation, …).
- `fact` is the claim in one short sentence; `quote` is copied from the record, word for word.
- valid_until is a deadline or an end as a date (2026-03-16), only where the record says so.
- "I" and "we" mean the speaker. Leave out conditions, questions, quoted mails, and whatever the record does not say.

{RULE}"""


NO_WORDS: Vocabulary = ((), ())


def _system(vocabulary: Vocabulary) -> str:
    entity_types, fact_types = (", ".join(names) for names in vocabulary)
    further = f"- Further types of entities: {entity_types}.\n" if entity_types else ""
    further += f"- Further types of facts: {fact_types}.\n" if fact_types else ""
    return SYSTEM.replace(f"\n{RULE}", f"{further}\n{RULE}") if further else SYSTEM


def ask_model(
    model: Model, document: Document, text: str, speaker: str | None, vocabulary: Vocabulary = NO_WORDS
) -> dict[str, list[Any]]:
    """What a model finds in a record, in bundle form and not yet grounded.

    `vocabulary` are the types of entities and of facts that are in use beside the built-in ones.
    """
    found: dict[str, list[Any]] = {"entities": [], "facts": []}
    about = [
        f"type: {document.type}",
        f"made at: {say_instant(document.source_at)}",
        f"speaker: {speaker or 'unknown'}",
        f"title: {' '.join((document.title or '').split())[:300]}",
    ]
    for part in parts(text):
        answer = answered(
            model, Ask(_system(vocabulary), fenced("\n".join([*about, "", part]), "RECORD"), SCHEMA, 4000)
        )
        found["entities"] += answer["entities"]
        found["facts"] += [_without_nulls(fact) for fact in answer["facts"]]
    return found


def parts(text: str) -> Iterator[str]:
    """The text in parts that a model can read at once, cut between paragraphs where that is possible."""
    start = 0
    for _ in range(MOST_PARTS):
        if start >= len(text):
            return
        stop = min(start + LONGEST_PART, len(text))
        cut = text.rfind("\n\n", start + LONGEST_PART // 2, stop) if stop < len(text) else -1
        stop = cut if cut > start else stop
        if text[start:stop].strip():
            yield text[start:stop]
        start = stop


def _without_nulls(fact: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in fact.items() if value is not None or key == "to"}

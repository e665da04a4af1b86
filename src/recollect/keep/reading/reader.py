"""Reading a text with a language model for entities and ties between them; what the text does not say is dropped."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from recollect.llm.answers import answered
from recollect.llm.fence import RULE, fenced
from recollect.llm.port import Ask, Model
from recollect.llm.schema import MAYBE, SURE, TEXT, lists_of
from recollect.model.entity import NAME_LIMIT
from recollect.model.names import fold
from recollect.model.wording import snake

SELF, ME = "self", "me"
LEAST_SURE: Final = 0.7
TYPE_LIMIT = 64
EVIDENCE_LIMIT = 8000
DESCRIPTION_LIMIT = 4000
MOST_ITEMS = 200

SCHEMA = lists_of(
    MOST_ITEMS,
    entities={
        "type": "object",
        "properties": {"type": TEXT, "label": TEXT, "description": MAYBE, "confidence": SURE},
        "required": ["type", "label", "confidence"],
    },
    relationships={
        "type": "object",
        "properties": {
            "fromLabel": TEXT,
            "toLabel": TEXT,
            "type": TEXT,
            "evidence": TEXT,
            "confidence": SURE,
            "occurredAt": MAYBE,
            "validUntil": MAYBE,
        },
        "required": ["fromLabel", "toLabel", "type", "evidence", "confidence"],
    },
)
SYSTEM = f"""You read a memory that an AI companion wrote in the first person, and note the entities it names and how
they are tied to each other.

- An entity has a type in one lower-case word (person, place, topic, preference, goal, health, boundary, tradition,
  insight, emotion or another that fits), a label exactly as the text writes it, and a short description.
- The writer is the entity "{ME}" of type "{SELF}". "I", "me" and "my" mean the writer.
- A relationship joins two labels by a type in lower snake_case, such as loves, friend_of, works_at, lives_in.
- Its evidence is copied from the text, word for word. occurredAt and validUntil are dates (2026, 2026-05, 2026-05-14),
  only where the text says so.
- Confidence is between 0 and 1. Leave out whatever the text does not say.

{RULE}"""


@dataclass(frozen=True, slots=True)
class Named:
    """An entity that a text names."""

    type: str
    label: str
    description: str | None
    confidence: float


@dataclass(frozen=True, slots=True)
class Tied:
    """A tie between two labels, in the words of the text."""

    subject: str
    object: str
    type: str
    evidence: str
    confidence: float
    occurred_at: str | None = None
    valid_until: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What a text says, and how many things a model said of it that it does not say."""

    named: tuple[Named, ...] = ()
    tied: tuple[Tied, ...] = ()
    dropped: int = 0

    def __add__(self, other: "Found") -> "Found":
        return Found(self.named + other.named, self.tied + other.tied, self.dropped + other.dropped)


def read_text(model: Model, text: str) -> Found:
    """What a model finds in a text, as far as the text bears it out."""
    answer = answered(model, Ask(SYSTEM, fenced(text, "MEMORY"), SCHEMA))
    return grounded(answer, text)


def grounded(answer: Mapping[str, Any], text: str) -> Found:
    """The items of an answer that stand in the text and are sure enough; the rest is counted."""
    words = loose(text)
    named = [each for item in answer["entities"] if (each := _named(item, words))]
    tied = [tie for item in answer["relationships"] if (tie := _tied(item, words))]
    said = len(answer["entities"]) + len(answer["relationships"])
    return Found(tuple(named), tuple(tied), said - len(named) - len(tied))


def loose(text: str) -> str:
    """A text with its spaces folded, its case ignored."""
    return " ".join(text.split()).casefold()


def _named(item: Mapping[str, Any], words: str) -> Named | None:
    type_, label = _word(item["type"]), _clean(item["label"])
    if label is not None and is_me(label):
        return Named(SELF, ME, None, item["confidence"])
    is_said = label is not None and loose(label) in words
    if type_ in (None, SELF) or label is None or not is_said or item["confidence"] < LEAST_SURE:
        return None
    described = " ".join((item.get("description") or "").split())[:DESCRIPTION_LIMIT]
    return Named(str(type_), label, described if described.isprintable() and described else None, item["confidence"])


def _tied(item: Mapping[str, Any], words: str) -> Tied | None:
    ends, type_ = [_clean(item["fromLabel"]), _clean(item["toLabel"])], _word(item["type"])
    evidence = item["evidence"].strip()
    is_said = bool(evidence) and len(evidence) <= EVIDENCE_LIMIT and loose(evidence) in words
    if None in ends or type_ is None or not is_said or item["confidence"] < LEAST_SURE:
        return None
    subject, object_ = (ME if is_me(str(end)) else str(end) for end in ends)
    if fold(subject) == fold(object_):
        return None
    return Tied(subject, object_, type_, evidence, item["confidence"], item.get("occurredAt"), item.get("validUntil"))


def is_me(label: str) -> bool:
    return fold(label) in (ME, "i", "myself")


def _word(text: str) -> str | None:
    found = snake(text)
    found = "organization" if found == "company" else found
    return found if found.isprintable() and 0 < len(found) <= TYPE_LIMIT else None


def _clean(text: str) -> str | None:
    found = " ".join(text.split())
    return found if found.isprintable() and 0 < len(found) <= NAME_LIMIT else None

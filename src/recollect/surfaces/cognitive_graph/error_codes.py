"""Errors of this surface, each with its code."""

from collections.abc import Sequence
from typing import Any

from recollect.errors import NotKnown, Refused
from recollect.model.entity import Entity
from recollect.model.ids import format_entity_id
from recollect.model.json_limits import is_storable
from recollect.resolve.port import Resolution
from recollect.surfaces.cognitive_graph.vocabulary import (
    LITERAL_LIMIT,
    NAME_LIMIT,
    PREDICATES,
    SOURCE_LIMIT,
    TYPES,
)
from recollect.text.fold import shorten

_QUOTE_LIMIT = 80


def quote(value: Any) -> str:
    """A given value, shortened and escaped for a message."""
    if not isinstance(value, str):
        return "null" if value is None else f"a {type(value).__name__}"
    shown = "".join(letter if is_storable(letter) else "\ufffd" for letter in shorten(value, _QUOTE_LIMIT))
    return f'"{shown}"'


class NameTooLong(Refused):
    code = "NAME_OR_ALIAS_TOO_LONG"

    def __init__(self, length: int) -> None:
        super().__init__(f"name_or_alias has {length} characters; at most {NAME_LIMIT} are allowed")


class ProjectNotFound(NotKnown):
    code = "PROJECT_NOT_FOUND"

    def __init__(self, name: str, found: Resolution) -> None:
        fitting = "; ".join(f"{each.name.spelling} ({format_entity_id(each.entity)})" for each in found.candidates)
        several = f"several projects fit {quote(name)}: {fitting}; ask again with the id of one"
        none = f"no project is called {quote(name)}; send the name, an alias or the id of one, or leave it out for all"
        super().__init__(several if found.is_ambiguous else none)


class FactRejected(Refused):
    """Bad input to `record_fact`, with what to send instead and, if possible, complete corrected arguments."""

    hint = ""
    example: dict[str, Any] | None = None

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint or self.hint


class PredicateUnknown(FactRejected):
    code = "PREDICATE_UNKNOWN"
    hint = f"Use one of {', '.join(PREDICATES)}."

    def __init__(self, given: Any) -> None:
        super().__init__(f"predicate {quote(given)} is not a known predicate.")


class TypeUnknown(FactRejected):
    code = "ENTITY_TYPE_UNKNOWN"
    hint = f"Use one of {', '.join(TYPES)}. When unsure, concept."

    def __init__(self, side: str, given: Any) -> None:
        super().__init__(f"{side}.type {quote(given)} is not a known type.")


class ConfidenceOutOfRange(FactRejected):
    code = "CONFIDENCE_OUT_OF_RANGE"
    hint = "Send a number from 0 to 1, or leave confidence out."

    def __init__(self) -> None:
        super().__init__("confidence is not a number from 0 to 1.")


class SourceInvalid(FactRejected):
    code = "SOURCE_INVALID"
    hint = f"Send a text of at most {SOURCE_LIMIT} characters, or leave source out."

    def __init__(self, why: str) -> None:
        super().__init__(f"source {why}.")


class EndRejected(FactRejected):
    """A subject or object that names no entity."""

    def __init__(self, side: str, why: str, hint: str | None = None) -> None:
        super().__init__(f"{side} {why}.", hint=hint or _end_hint(side))
        self.code = f"{side.upper()}_REQUIRED"


def _end_hint(side: str) -> str:
    entity = f"Send {side} as an object with a type and a name (1 to {NAME_LIMIT} characters) or an id"
    literal = f', or as {{"literal": text}} with 1 to {LITERAL_LIMIT} characters, never both'
    return f"{entity}{literal if side == 'object' else ''}."


class AmbiguousEnd(EndRejected):
    """A name that several entities of the type have."""

    def __init__(self, side: str, name: str, found: Sequence[Entity]) -> None:
        self.ids = tuple(format_entity_id(entity.id) for entity in found[:5])
        hint = f"Send the id of the one you mean: {', '.join(self.ids)}."
        super().__init__(side, f"{quote(name)} fits several entities", hint)

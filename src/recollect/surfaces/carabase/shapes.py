"""What the tools of this surface take: strict about types, generous about form."""

import math
import re
from collections.abc import Callable, Collection
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema

from recollect.model.certainty import SOURCE_KINDS
from recollect.surfaces.shapes import decoded, refuse

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_LISTED = 10


def whole(low: int, high: int) -> BeforeValidator:
    """An integer of a range; 5.0 is one, a number in quotes and a boolean are none."""
    allowed = tuple(map(str, range(low, high + 1))) if high - low < _LISTED else ()

    def check(value: Any) -> int:
        number = int(value) if isinstance(value, float) and value.is_integer() else value
        if isinstance(number, bool) or not isinstance(number, int):
            raise refuse(f"must be an integer {low}..{high}", allowed)
        if not low <= number <= high:
            raise refuse(f"must be {low}..{high}", allowed)
        return number

    return BeforeValidator(check)


def _share(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise refuse("must be a number 0..1")
    if not 0 <= value <= 1:
        raise refuse("must be 0..1")
    return float(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise refuse("must be true or false")
    return value


def text(limit: int) -> BeforeValidator:
    """A trimmed string of at most that many characters, without NUL."""
    return BeforeValidator(lambda value: checked_text(value, limit))


def name(limit: int, *, mark: str = "") -> BeforeValidator:
    """A trimmed string without control characters; one leading mark is dropped."""
    return BeforeValidator(lambda value: checked_name(value, limit, mark))


def checked_text(value: Any, limit: int) -> str:
    if not isinstance(value, str):
        raise refuse("must be a string")
    trimmed = value.strip()
    if "\0" in trimmed:
        raise refuse("must not contain NUL")
    if not trimmed:
        raise refuse("must not be blank")
    if len(trimmed) > limit:
        raise refuse(f"must have 1..{limit} characters")
    return trimmed


def checked_name(value: Any, limit: int, mark: str = "") -> str:
    trimmed = checked_text(value, limit + len(mark))
    bare = trimmed.removeprefix(mark).strip() if mark else trimmed
    if not bare or len(bare) > limit:
        raise refuse(f"must have 1..{limit} characters")
    if _CONTROL.search(bare):
        raise refuse("must not contain control characters")
    return bare


def word_of(*choices: str) -> BeforeValidator:
    """One of a closed set, in any case."""
    known = {choice.casefold(): choice for choice in choices}

    def check(value: Any) -> str:
        found = known.get(value.strip().casefold()) if isinstance(value, str) else None
        if found is None:
            raise refuse(f"must be one of {', '.join(choices)}", choices)
        return found

    return BeforeValidator(check)


Checked = Callable[[Any], str]


def list_of(check: Checked, least: int = 1, most: int = 50) -> BeforeValidator:
    """A list, the JSON of one, or a single value; blank members are left out, repeats collapse."""

    def read(value: Any) -> list[str]:
        found = as_list(value)
        kept = list(dict.fromkeys(check(each) for each in found if not (isinstance(each, str) and not each.strip())))
        if not least <= len(kept) <= most:
            raise refuse(f"must have {least}..{most} members")
        return kept

    return BeforeValidator(read)


def as_list(value: Any) -> list[Any]:
    """A list as it is or from its JSON; anything else is a list of one."""
    if isinstance(value, list):
        return value
    held = decoded(value) if isinstance(value, str) else value
    return held if isinstance(held, list) else [value]


def as_object(value: Any) -> dict[str, Any]:
    """An object as it is or from its JSON."""
    held = decoded(value)
    if not isinstance(held, dict):
        raise refuse("must be an object")
    return held


def one_of(choices: Collection[str], what: str) -> Checked:
    known = {choice.casefold(): choice for choice in choices}

    def check(value: Any) -> str:
        found = known.get(value.strip().casefold()) if isinstance(value, str) else None
        if found is None:
            raise refuse(f"must name {what}: {', '.join(choices)}", tuple(choices))
        return found

    return check


ARTIFACT_KINDS = (
    "record", "memory", "commit", "lore", "encounter", "identity", "conversation", "file", "log_card",
)  # fmt: skip

share = BeforeValidator(_share)
flag = BeforeValidator(_flag)
Object = Annotated[dict[str, Any], BeforeValidator(as_object), WithJsonSchema({"type": "object"})]

EntityText = Annotated[
    str, Field(min_length=1, max_length=200, description="A name, alias or entity id; I and we by role"), name(200)
]
Query = Annotated[str, Field(min_length=1, max_length=1000, description="What is asked, in words"), text(1000)]
Confidence = Annotated[float, Field(ge=0, le=1, description="Only what is at least so sure"), share]
SourceKinds = Annotated[
    list[str],
    Field(description="Any of extracted, inferred, ambiguous"),
    list_of(one_of(SOURCE_KINDS, "source kinds")),
]
Folio = Annotated[str, Field(max_length=121, description="Name of a folio"), name(120, mark="~")]
Tags = Annotated[
    list[str], Field(description="Tags, all of them"), list_of(lambda value: checked_name(value, 120, mark="#"))
]
Kinds = Annotated[
    list[str], Field(description="Kinds of artifacts"), list_of(one_of(ARTIFACT_KINDS, "kinds of artifacts"))
]
TimeText = Annotated[
    str, Field(max_length=200, description="YYYY, YYYY-MM, YYYY-MM-DD, YYYY-Www or an instant"), text(200)
]
AtTime = Annotated[str, Field(max_length=200, description="What held then; default: the workspace's now"), text(200)]
Flag = Annotated[bool, Field(description="true or false"), flag]

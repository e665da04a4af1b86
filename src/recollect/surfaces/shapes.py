"""Parameter types that surfaces share, each described once."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from recollect.model.storable import Flaw, Limits, flaw_of, is_64_bit
from recollect.when.known import read_known
from recollect.when.problems import BadTime

MOST_NESTED = 100
MOST_VALUES = 100_000
_LIMITS = Limits(MOST_NESTED, MOST_VALUES, has_64_bits=True)
TOO_LARGE = f"should hold at most {MOST_VALUES:,} values; send it in several calls"
_FLAWS: Mapping[Flaw, str] = {
    "character": "should be valid Unicode text and should not contain NUL",
    "number": "should hold finite numbers only",
    "depth": f"should not be nested deeper than {MOST_NESTED} levels",
    "integer": "should hold integers of at most 64 bits",
    "size": TOO_LARGE,
}
DATE_FORM = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


def refuse(message: str, accepted: tuple[str, ...] = ()) -> PydanticCustomError:
    """A bad value, to be raised in a validator. The message goes on from the argument's name: `should be …`."""
    return PydanticCustomError("bad_value", message, {"accepted": accepted})


def folded_into(*choices: str) -> BeforeValidator:
    """Case and outer spaces do not matter: the word becomes the choice it stands for."""
    known = {choice.casefold(): choice for choice in choices}

    def fold(value: Any) -> Any:
        return known.get(value.strip().casefold(), value) if isinstance(value, str) else value

    return BeforeValidator(fold)


def _trimmed(text: str) -> str:
    stripped = text.strip()
    if not stripped:
        raise refuse("should not be blank")
    if "\0" in stripped:
        raise refuse("should not contain NUL")
    return stripped


def text_up_to(limit: int) -> AfterValidator:
    """Trimmed, not blank, and no longer than that once trimmed."""

    def check(text: str) -> str:
        trimmed = _trimmed(text)
        if len(trimmed) > limit:
            raise refuse(f"should have at most {limit} characters")
        return trimmed

    return AfterValidator(check)


def _whole(value: Any) -> Any:
    is_whole = isinstance(value, float) and value.is_integer()
    return int(value) if is_whole and is_64_bit(int(value)) else value


def decoded(value: Any) -> Any:
    """What a JSON text holds, if it can be kept; anything else as it is."""
    if not isinstance(value, str):
        return value
    try:
        held = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return value if unkeepable(held) else held


def unkeepable(value: Any) -> str | None:
    """What is wrong with a value that no store can keep."""
    flaw = flaw_of(value, _LIMITS)
    return None if flaw is None else _FLAWS[flaw]


def _checked_as_of(value: Any) -> Any:
    if value is None:
        return None
    try:
        read_known(value if type(value) is int else value.strip() if isinstance(value, str) else "", UTC)
    except BadTime:
        raise refuse("should be an instant, a date (YYYY-MM-DD) or a transaction number") from None
    return value


def _is_moment(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _checked_date(text: str) -> str:
    trimmed = text.strip()
    if not DATE_FORM.fullmatch(trimmed) or not _is_moment(trimmed):
        raise refuse("should be a real date of the form YYYY-MM-DD")
    return trimmed


Whole = BeforeValidator(_whole)
"""Takes `5.0` for the integer 5. It stands behind the bounds, or they leave the published schema."""

FromJson = BeforeValidator(decoded)
"""Takes a string that holds the JSON of an object or list."""

ANY_INTEGER = object()
"""Marks a parameter that gives a meaning to integers of any size."""

AsOf = Annotated[
    int | str | None,
    ANY_INTEGER,
    BeforeValidator(_checked_as_of),
    WithJsonSchema({"type": ["string", "integer"]}),
    Field(description="What was known then: an instant, a date (its end) or a transaction number"),
]

AtTime = Annotated[
    str | None,
    Field(max_length=200, description="What held then, a time of the workspace's timeline; default: its now"),
]

DateText = Annotated[str, AfterValidator(_checked_date), WithJsonSchema({"type": "string", "format": "date"})]

NameText = Annotated[
    str,
    text_up_to(500),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": 500}),
    Field(description="A name, alias, email address or entity id"),
]

Flag = Annotated[bool, Field(description="true or false")]

Limit = Annotated[int, Field(ge=1, le=1000, description="At most this many"), Whole]

EdgeLabel = Annotated[
    Literal["AFFILIATED", "ASSERTED", "TRANSITIONED"],
    folded_into("AFFILIATED", "ASSERTED", "TRANSITIONED"),
    Field(description="Only facts with this label"),
]

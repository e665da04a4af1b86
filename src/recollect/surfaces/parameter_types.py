"""Annotated parameter types that surfaces share, each with its validators and its description."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from recollect.model.json_limits import Flaw, Limits, find_flaw, is_64_bit
from recollect.when.as_of import parse_as_of
from recollect.when.time_errors import BadTime

MAX_NESTING = 100
MAX_VALUES = 100_000
_LIMITS = Limits(MAX_NESTING, MAX_VALUES, has_64_bits=True)
TOO_LARGE = f"should hold at most {MAX_VALUES:,} values; send it in several calls"
_FLAW_MESSAGES: Mapping[Flaw, str] = {
    "character": "should be valid Unicode text and should not contain NUL",
    "number": "should hold finite numbers only",
    "depth": f"should not be nested deeper than {MAX_NESTING} levels",
    "integer": "should hold integers of at most 64 bits",
    "size": TOO_LARGE,
}
DATE_FORM = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


def bad_value(message: str, accepted: tuple[str, ...] = ()) -> PydanticCustomError:
    """An error for validators to raise. The message continues the argument's name: `should be …`."""
    return PydanticCustomError("bad_value", message, {"accepted": accepted})


def fold_case_into(*choices: str) -> BeforeValidator:
    """Accept a choice in any case and with outer spaces."""
    known = {choice.casefold(): choice for choice in choices}

    def fold(value: Any) -> Any:
        return known.get(value.strip().casefold(), value) if isinstance(value, str) else value

    return BeforeValidator(fold)


def _trim(text: str) -> str:
    stripped = text.strip()
    if not stripped:
        raise bad_value("should not be blank")
    if "\0" in stripped:
        raise bad_value("should not contain NUL")
    return stripped


def trimmed_text(limit: int) -> AfterValidator:
    """Text that is trimmed, not blank, and within the limit."""

    def check(text: str) -> str:
        trimmed = _trim(text)
        if len(trimmed) > limit:
            raise bad_value(f"should have at most {limit} characters")
        return trimmed

    return AfterValidator(check)


def limited_text(limit: int, *, least: int = 0) -> tuple[Any, ...]:
    """What `trimmed_text` checks, and its schema."""
    shortest = {"minLength": least} if least else {}
    return trimmed_text(limit), WithJsonSchema({"type": "string", **shortest, "maxLength": limit})


def _integer_from_float(value: Any) -> Any:
    is_whole = isinstance(value, float) and value.is_integer()
    return int(value) if is_whole and is_64_bit(int(value)) else value


def decode_json(value: Any) -> Any:
    """The value of a JSON text, if it can be stored; anything else unchanged."""
    if not isinstance(value, str):
        return value
    try:
        decoded = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return value if storage_fault_of(decoded) else decoded


def storage_fault_of(value: Any) -> str | None:
    """Why a value cannot be stored; none if it can."""
    flaw = find_flaw(value, _LIMITS)
    return None if flaw is None else _FLAW_MESSAGES[flaw]


def _check_as_of(value: Any) -> Any:
    if value is None:
        return None
    try:
        parse_as_of(value if type(value) is int else value.strip() if isinstance(value, str) else "", UTC)
    except BadTime:
        raise bad_value("should be an instant, a date (YYYY-MM-DD) or a transaction number") from None
    return value


def _is_iso_date(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _check_date(text: str) -> str:
    trimmed = text.strip()
    if not DATE_FORM.fullmatch(trimmed) or not _is_iso_date(trimmed):
        raise bad_value("should be a real date of the form YYYY-MM-DD")
    return trimmed


IntegralFloat = BeforeValidator(_integer_from_float)
"""Accepts `5.0` as the integer 5. It must follow the bounds, or they are lost from the published schema."""

ANY_INTEGER = object()
"""Marks a parameter that accepts integers of any size."""

AsOf = Annotated[
    int | str | None,
    ANY_INTEGER,
    BeforeValidator(_check_as_of),
    WithJsonSchema({"type": ["string", "integer"]}),
    Field(description="What was known then: an instant, a date (its end) or a transaction number"),
]

AtTime = Annotated[
    str | None,
    Field(max_length=200, description="What held then, a time of the workspace's timeline; default: its now"),
]

DateText = Annotated[str, AfterValidator(_check_date), WithJsonSchema({"type": "string", "format": "date"})]

NameText = Annotated[
    str,
    *limited_text(500, least=1),
    Field(description="A name, alias, email address or entity id"),
]

Flag = Annotated[bool, Field(description="true or false")]

Limit = Annotated[int, Field(ge=1, le=1000, description="At most this many"), IntegralFloat]

EdgeLabel = Annotated[
    Literal["AFFILIATED", "ASSERTED", "TRANSITIONED"],
    fold_case_into("AFFILIATED", "ASSERTED", "TRANSITIONED"),
    Field(description="Only facts with this label"),
]

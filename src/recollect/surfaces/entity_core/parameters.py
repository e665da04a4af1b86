"""Parameter types that the tools of this surface share, each described once."""

import json
import math
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, ValidationInfo, WithJsonSchema

from recollect.keep.call_conflicts import ContentTooLarge
from recollect.keep.memory_formats import (
    AUTHOR,
    CATEGORIES,
    CHAT_ID,
    CONTENT_LIMIT,
    FILENAME,
    INSTANCE,
    INSTANCE_TYPE,
    PROMPT_LABEL,
    SLUG,
    is_visible,
    matches_format,
    normalize_newlines,
)
from recollect.model.entity import PROPERTY_LIMIT
from recollect.surfaces.entity_core.surface import camel_case
from recollect.surfaces.parameter_types import IntegralFloat, bad_value

MAX_PROPERTIES_BYTES = 64 << 10
MAX_PROPERTIES_DEPTH = 8


def _match_format(pattern: re.Pattern[str], wanted: str) -> AfterValidator:
    def check(text: str) -> str:
        if not matches_format(pattern, text):
            raise bad_value(f"should be {wanted}", accepted=(wanted,))
        return text

    return AfterValidator(check)


def _check_text(text: str, info: ValidationInfo) -> str:
    if "\0" in text:
        raise bad_value("should not contain NUL")
    normal = normalize_newlines(text)
    if len(normal.encode()) > CONTENT_LIMIT:
        raise ContentTooLarge(info.field_name or "content", "1 MiB of UTF-8")
    return normal


def _check_visible(text: str) -> str:
    if not is_visible(text):
        raise bad_value("should hold at least one visible character")
    return text


def to_camel_keys(item: Any) -> Any:
    """An object with its keys in camelCase and without those that are null; anything else as it is."""
    if not isinstance(item, Mapping):
        return item
    found: dict[Any, Any] = {}
    for key, value in item.items():
        name = camel_case(key) if isinstance(key, str) and key.islower() else key
        if value is not None and found.setdefault(name, value) != value:
            raise bad_value(f"should not have {name} in two spellings that differ")
    return found


def text_up_to(limit: int, *, blank: bool = False) -> AfterValidator:
    """Text with LF line breaks, without NUL and within the limit; not blank unless `blank` is set."""

    def check(text: str, info: ValidationInfo) -> str:
        checked = normalize_newlines(text if blank else _check_visible(text))
        if "\0" in checked:
            raise bad_value("should not contain NUL")
        if len(checked) > limit:
            raise ContentTooLarge(info.field_name or "text", f"{limit} characters")
        return checked

    return AfterValidator(check)


def list_up_to(limit: int) -> AfterValidator:
    """A list with at most so many members."""

    def check(members: list[Any], info: ValidationInfo) -> list[Any]:
        if len(members) > limit:
            raise ContentTooLarge(info.field_name or "list", f"{limit} members")
        return members

    return AfterValidator(check)


def _check_properties(value: dict[str, Any], info: ValidationInfo) -> dict[str, Any]:
    field = info.field_name or "properties"
    _check_nested(value, MAX_PROPERTIES_DEPTH, field)
    if len(json.dumps(value, ensure_ascii=False).encode()) > MAX_PROPERTIES_BYTES:
        raise ContentTooLarge(field, "64 KiB of JSON")
    return value


def _check_nested(value: Any, depth: int, field: str) -> None:
    if isinstance(value, dict | list) and depth == 0:
        raise ContentTooLarge(field, f"{MAX_PROPERTIES_DEPTH} levels deep")
    if isinstance(value, dict):
        if not all(1 <= len(key) <= PROPERTY_LIMIT and "\0" not in key for key in value):
            raise bad_value(f"should have keys of 1 to {PROPERTY_LIMIT} characters")
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            _check_nested(inner, depth - 1, field)
    elif (isinstance(value, float) and not math.isfinite(value)) or (isinstance(value, str) and "\0" in value):
        raise bad_value("should hold finite numbers and texts without NUL")


Category = Annotated[
    Literal["self", "user", "relationship", "custom"], Field(description=f"One of {', '.join(CATEGORIES)}")
]

Filename = Annotated[
    str,
    _match_format(FILENAME, "1 to 100 letters, digits, _ or - and then .md"),
    Field(description="Name of the file, with .md"),
]

InstanceId = Annotated[
    str,
    _match_format(INSTANCE, "a letter or digit, then up to 63 letters, digits, . _ or -, without two dots in a row"),
    Field(description="The embodiment that acts"),
]

InstanceType = Annotated[
    str,
    _match_format(INSTANCE_TYPE, "up to 32 of a-z, 0-9, . _ and -, beginning with a letter or digit"),
    Field(description="What the embodiment runs on, such as psycheros, sillytavern or other"),
]

Author = Annotated[
    str,
    _match_format(AUTHOR, "1 to 200 characters without a line break"),
    Field(description="Who made the edit"),
]

Slug = Annotated[
    str,
    AfterValidator(lambda text: text.lower() if text.isascii() else text),
    _match_format(SLUG, "up to 80 of a-z, 0-9, _ and -, beginning with a letter or digit"),
    Field(description="Short name of a significant memory"),
]

PromptLabel = Annotated[
    str,
    _match_format(PROMPT_LABEL, "a letter or _, then up to 63 letters, digits, _ . or -, not beginning with xml"),
    Field(description="The tag that wraps the file in a prompt"),
]

ChatId = Annotated[
    str,
    _match_format(CHAT_ID, "1 to 200 characters without ], comma or line break"),
    Field(description="Id of a conversation"),
]

ChatIds = Annotated[list[ChatId], list_up_to(1000), Field(description="Conversations it came from")]

Instances = Annotated[list[InstanceId], list_up_to(100), Field(description="All embodiments involved")]

Granularity = Annotated[
    Literal["daily", "weekly", "monthly", "yearly", "significant"], Field(description="What the memory covers")
]

AnyContent = Annotated[str, AfterValidator(_check_text), Field(description="The text, Markdown")]

Content = Annotated[
    str, AfterValidator(_check_text), AfterValidator(_check_visible), Field(description="The text, Markdown; not blank")
]

ExpectedVersion = Annotated[
    int,
    Field(ge=0, description="Refuse unless this is the version now; 0: must not exist"),
    IntegralFloat,
]

Properties = Annotated[
    dict[str, Any],
    AfterValidator(_check_properties),
    WithJsonSchema({"type": "object"}),
    Field(description="Anything else to keep, as JSON"),
]

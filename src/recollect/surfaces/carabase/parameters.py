"""Parameter types of this surface: strict about types, lenient about form; times are periods."""

import math
import re
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Annotated, Any, get_args

from pydantic import BeforeValidator, Field, WithJsonSchema

from recollect.errors import Refused
from recollect.keep.artifacts.artifact import ArtifactKind
from recollect.model.certainty import SOURCE_KINDS
from recollect.store.view import View
from recollect.store.world import World
from recollect.surfaces.carabase.surface import BadInput, RangeReversed
from recollect.surfaces.parameter_types import bad_value, decode_json
from recollect.when.instant import MAX, MIN
from recollect.when.parse import read_time
from recollect.when.period import Time
from recollect.when.span import Span

_CONTROL_CHARACTERS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_MAX_LISTED_CHOICES = 10


def integer_between(low: int, high: int) -> BeforeValidator:
    """An integer in a range; 5.0 is accepted, numeric strings and booleans are not."""
    allowed = tuple(map(str, range(low, high + 1))) if high - low < _MAX_LISTED_CHOICES else ()

    def check(value: Any) -> int:
        number = int(value) if isinstance(value, float) and value.is_integer() else value
        if isinstance(number, bool) or not isinstance(number, int):
            raise bad_value(f"must be an integer {low}..{high}", allowed)
        if not low <= number <= high:
            raise bad_value(f"must be {low}..{high}", allowed)
        return number

    return BeforeValidator(check)


def _check_share(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise bad_value("must be a number 0..1")
    if not 0 <= value <= 1:
        raise bad_value("must be 0..1")
    return float(value)


def _check_flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise bad_value("must be true or false")
    return value


def text_of(limit: int) -> BeforeValidator:
    """A trimmed string of at most that many characters, without NUL."""
    return BeforeValidator(lambda value: check_text(value, limit))


def name_of(limit: int, *, mark: str = "") -> BeforeValidator:
    """A trimmed string without control characters; one leading mark is dropped."""
    return BeforeValidator(lambda value: check_name(value, limit, mark))


def check_text(value: Any, limit: int) -> str:
    if not isinstance(value, str):
        raise bad_value("must be a string")
    trimmed = value.strip()
    if "\0" in trimmed:
        raise bad_value("must not contain NUL")
    if not trimmed:
        raise bad_value("must not be blank")
    if len(trimmed) > limit:
        raise bad_value(f"must have 1..{limit} characters")
    return trimmed


def check_name(value: Any, limit: int, mark: str = "") -> str:
    trimmed = check_text(value, limit + len(mark))
    bare = trimmed.removeprefix(mark).strip() if mark else trimmed
    if not bare or len(bare) > limit:
        raise bad_value(f"must have 1..{limit} characters")
    if _CONTROL_CHARACTERS.search(bare):
        raise bad_value("must not contain control characters")
    return bare


def choice_of(*choices: str) -> BeforeValidator:
    """One of a closed set, in any case."""
    return BeforeValidator(choice_check(choices, "be one of"))


TextCheck = Callable[[Any], str]


def list_of(check: TextCheck, most: int = 50) -> BeforeValidator:
    """A list, its JSON text, or a single value, not empty; blank and repeated members are dropped."""

    def read(value: Any) -> list[str]:
        found = read_list(value)
        kept = list(dict.fromkeys(check(each) for each in found if not (isinstance(each, str) and not each.strip())))
        if not 1 <= len(kept) <= most:
            raise bad_value(f"must have 1..{most} members")
        return kept

    return BeforeValidator(read)


def read_list(value: Any) -> list[Any]:
    """A list, or the list in a JSON text; anything else as a list of one."""
    if isinstance(value, list):
        return value
    decoded = decode_json(value) if isinstance(value, str) else value
    return decoded if isinstance(decoded, list) else [value]


def read_object(value: Any) -> dict[str, Any]:
    """An object, or the object in a JSON text."""
    decoded = decode_json(value)
    if not isinstance(decoded, dict):
        raise bad_value("must be an object")
    return decoded


def choice_check(choices: Collection[str], what: str) -> TextCheck:
    """The choice that a value is in any case; `what` it must do stands in the refusal."""
    known = {choice.casefold(): choice for choice in choices}

    def check(value: Any) -> str:
        found = known.get(value.strip().casefold()) if isinstance(value, str) else None
        if found is None:
            raise bad_value(f"must {what} {', '.join(choices)}", tuple(choices))
        return found

    return check


ARTIFACT_KINDS: tuple[ArtifactKind, ...] = get_args(ArtifactKind)

share_validator = BeforeValidator(_check_share)
flag_validator = BeforeValidator(_check_flag)
JsonObject = Annotated[dict[str, Any], BeforeValidator(read_object), WithJsonSchema({"type": "object"})]

EntityText = Annotated[
    str, Field(min_length=1, max_length=200, description="A name, alias or entity id; I and we by role"), name_of(200)
]
QueryText = Annotated[str, Field(min_length=1, max_length=1000, description="What is asked, in words"), text_of(1000)]
MinConfidence = Annotated[float, Field(ge=0, le=1, description="Only what is at least so sure"), share_validator]
SourceKinds = Annotated[
    list[str],
    Field(description="Any of extracted, inferred, ambiguous"),
    list_of(choice_check(SOURCE_KINDS, "name source kinds:")),
]
FolioText = Annotated[str, Field(max_length=121, description="Name of a folio"), name_of(120, mark="~")]
Tags = Annotated[
    list[str], Field(description="Tags, all of them"), list_of(lambda value: check_name(value, 120, mark="#"))
]
Kinds = Annotated[
    list[str],
    Field(description="Kinds of artifacts"),
    list_of(choice_check(ARTIFACT_KINDS, "name kinds of artifacts:")),
]
TimeText = Annotated[
    str, Field(max_length=200, description="YYYY, YYYY-MM, YYYY-MM-DD, YYYY-Www or an instant"), text_of(200)
]
AtTimeText = Annotated[
    str, Field(max_length=200, description="What held then; default: the workspace's now"), text_of(200)
]
BooleanFlag = Annotated[bool, Field(description="true or false"), flag_validator]


TIME_FORMS = ("YYYY", "YYYY-MM", "YYYY-MM-DD", "YYYY-Www", "an instant with offset")


def parse_at_time(view: View, text: str | None) -> Time:
    """The time asked about on the workspace's timeline; default: its present."""
    return view.world.now if text is None else _parse_time(text, "at_time", view.world)


def parse_date_range(view: View, first: str | None, last: str | None, names: tuple[str, str]) -> Span | None:
    """From the start of one time to the end of another, in the Gregorian calendar; none if both are missing."""
    if first is None and last is None:
        return None
    world = view.world
    gregorian = replace(world, timeline=replace(world.timeline, kind="gregorian"))
    low = MIN if first is None else _parse_time(first, names[0], gregorian).lo
    high = MAX if last is None else _parse_time(last, names[1], gregorian).hi
    if low > high:
        raise RangeReversed(*names)
    return Span(low, high)


def _parse_time(text: str, field: str, world: World) -> Time:
    try:
        return read_time(text, world.timeline, world.clock, weeks=True)
    except Refused as problem:
        raise BadInput(f"{field}: {problem}", field=field, accepted=TIME_FORMS) from None

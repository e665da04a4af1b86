"""What the memory tools take, each described once."""

import math
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from recollect.keep.forms import MEMORY_ID, is_form
from recollect.keep.memories.dates import GRANULARITIES, read_day
from recollect.surfaces.entity_core.shapes import text_of
from recollect.surfaces.shapes import Whole, refuse

QUERY_LIMIT = 2000


def _checked_day(text: str) -> str:
    try:
        return read_day(text).isoformat()
    except ValueError:
        raise refuse("should be a day that exists, of the form YYYY-MM-DD", accepted=("YYYY-MM-DD",)) from None


def _checked_id(text: str) -> str:
    if not is_form(MEMORY_ID, text):
        raise refuse("should be as it was printed, such as daily-2026-05-12_psy-desk")
    return text


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _checked_vector(values: list[float]) -> list[float]:
    if not all(map(math.isfinite, values)) or not any(values):
        raise refuse("should hold finite numbers, not all of them zero")
    return values


MemoryDate = Annotated[
    str,
    Field(
        description="YYYY-MM-DD for daily and significant, YYYY-Www for weekly, YYYY-MM for monthly, YYYY for yearly"
    ),
]
MemoryId = Annotated[str, AfterValidator(_checked_id), Field(description="Id of a memory; suffices alone")]
OfInstance = Annotated[str, Field(description="Only memories of this embodiment")]
OnExisting = Annotated[
    Literal["merge", "replace", "error"], Field(description="If it exists; default merge for daily, else error")
]
Query = Annotated[str, text_of(QUERY_LIMIT), Field(description="What I look for")]
Vector = Annotated[
    list[float],
    AfterValidator(_checked_vector),
    WithJsonSchema({"type": "array", "items": {"type": "number"}}),
    Field(description="The query's embedding, if it is there already"),
]
MinScore = Annotated[float, Field(ge=0, le=1, description="Least score of a result")]
MaxResults = Annotated[int, Field(ge=1, le=50, description="At most this many"), Whole]
Granularities = Annotated[
    list[Literal["daily", "weekly", "monthly", "yearly", "significant"]],
    BeforeValidator(_listed),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "enum": list(GRANULARITIES)},
                {"type": "array", "items": {"type": "string", "enum": list(GRANULARITIES)}},
            ]
        }
    ),
    Field(description="Only these granularities"),
]
AfterDate = Annotated[str, AfterValidator(_checked_day), Field(description="From this day on, YYYY-MM-DD")]
BeforeDate = Annotated[str, AfterValidator(_checked_day), Field(description="Up to this day, YYYY-MM-DD")]
PageLimit = Annotated[int, Field(ge=1, le=100, description="At most this many"), Whole]
Offset = Annotated[int, Field(ge=0, le=2**53, description="Leave out this many at the beginning"), Whole]
Version = Annotated[int, Field(ge=1, le=2**53, description="An earlier version; not with as_of"), Whole]
Level = Annotated[Literal["weekly", "monthly", "yearly"], Field(description="Which summaries")]
TargetDate = Annotated[str, Field(description="One period, in its form or by a day inside it; needs granularity")]

"""What the tools of this surface take beyond the shared shapes.

A tool's own text is `Annotated[str, *text(2000), Field(description="…")]`, its own list of texts
`Annotated[list[RelationText], *some, Field(description="…")]`, its own limit
`Annotated[int, Field(ge=1, le=50, description="…")]`.
"""

from typing import Annotated, Any

from pydantic import AfterValidator, Field, WithJsonSchema
from typing_extensions import TypedDict

from recollect.surfaces.shapes import AsOf as AnyAsOf
from recollect.surfaces.shapes import refuse, text_up_to

NAME_LIMIT = 200
TEXT_LIMIT = 2000
REASON_LIMIT = 1000
_TIME_LIMIT = 500
_RELATION_LIMIT = 100
_LITERAL_LIMIT = 10_000


def text(limit: int) -> tuple[Any, ...]:
    """What makes a string a trimmed text of 1 to `limit` characters."""
    return text_up_to(limit), WithJsonSchema({"type": "string", "minLength": 1, "maxLength": limit})


def _some(texts: list[str]) -> list[str]:
    if not texts:
        raise refuse("should not be empty; leave it out for all")
    return list(dict.fromkeys(texts))


some = (AfterValidator(_some),)
"""What makes a list one of at least one text, each taken once."""

EntityName = Annotated[str, *text(NAME_LIMIT), Field(description="A name, alias or id")]
TimeText = Annotated[
    str,
    *text(_TIME_LIMIT),
    Field(description="A time: era.year_3.month_2, 1848-03-17, current, T~, [T1..T2]"),
]
RelationText = Annotated[
    str,
    *text(_RELATION_LIMIT),
    Field(description="A relation such as RULES, in any case, tense or direction"),
]
RelationTexts = Annotated[list[RelationText], *some, Field(description="Only these relations")]
LabelText = Annotated[str, *text(NAME_LIMIT), Field(description="A label such as Person, Location or Battle")]
LabelTexts = Annotated[list[LabelText], *some, Field(description="Only entities of these labels")]
AsOf = Annotated[AnyAsOf, Field(description="As known then: an instant, a date or a transaction number")]


class LiteralText(TypedDict):
    literal: Annotated[str, *text(_LITERAL_LIMIT)]

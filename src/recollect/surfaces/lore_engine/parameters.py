"""Parameter types of this surface beyond the shared ones."""

from typing import Annotated, Any

from pydantic import AfterValidator, Field
from typing_extensions import TypedDict

from recollect.surfaces.parameter_types import AsOf as AnyAsOf
from recollect.surfaces.parameter_types import bad_value, limited_text

NAME_LIMIT = 200
TEXT_LIMIT = 2000
REASON_LIMIT = 1000
_TIME_LIMIT = 500
_RELATION_LIMIT = 100
_LITERAL_LIMIT = 10_000


def text_validators(limit: int) -> tuple[Any, ...]:
    """Validators for a trimmed text of 1 to `limit` characters."""
    return limited_text(limit, least=1)


def _check_not_empty(texts: list[str]) -> list[str]:
    if not texts:
        raise bad_value("should not be empty; leave it out for all")
    return list(dict.fromkeys(texts))


not_empty = (AfterValidator(_check_not_empty),)
"""What makes a list one of at least one text, each taken once."""

EntityName = Annotated[str, *text_validators(NAME_LIMIT), Field(description="A name, alias or id")]
TimeText = Annotated[
    str,
    *text_validators(_TIME_LIMIT),
    Field(description="A time: era.year_3.month_2, 1848-03-17, current, T~, [T1..T2]"),
]
RelationText = Annotated[
    str,
    *text_validators(_RELATION_LIMIT),
    Field(description="A relation such as RULES, in any case, tense or direction"),
]
RelationTexts = Annotated[list[RelationText], *not_empty, Field(description="Only these relations")]
LabelText = Annotated[
    str, *text_validators(NAME_LIMIT), Field(description="A label such as Person, Location or Battle")
]
LabelTexts = Annotated[list[LabelText], *not_empty, Field(description="Only entities of these labels")]
AsOf = Annotated[AnyAsOf, Field(description="As known then: an instant, a date or a transaction number")]


class LiteralText(TypedDict):
    literal: Annotated[str, *text_validators(_LITERAL_LIMIT)]

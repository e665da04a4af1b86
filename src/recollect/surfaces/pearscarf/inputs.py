"""What the tools of this surface take beyond the shared shapes."""

from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, PlainValidator, WithJsonSchema

from recollect.errors import Refused
from recollect.model.vocabulary import PREDICATE_LIMIT
from recollect.model.wording import snake
from recollect.store.world import World
from recollect.surfaces.problems import BadArgument
from recollect.surfaces.shapes import DATE_FORM, Whole, folded_into, refuse, text_up_to
from recollect.when.instant import (
    Instant,
    date_of_day,
    day_period,
    local_day,
    read_date,
    read_instant,
    say_instant,
)
from recollect.when.problems import BadTime
from recollect.when.span import Span

DEFAULT_LIMIT = 500
WINDOW_DAYS = 7


@dataclass(frozen=True, slots=True)
class Moment:
    """A date or an instant as it was given; what it means depends on the workspace's zone."""

    text: str

    @property
    def is_date(self) -> bool:
        return DATE_FORM.fullmatch(self.text) is not None

    def ends(self, zone: tzinfo) -> tuple[Instant, Instant]:
        """The first and last instant of it."""
        if self.is_date:
            return day_period(read_date(self.text), zone)
        instant = read_instant(self.text, zone)
        return instant, instant

    def said(self, zone: tzinfo) -> str:
        """A date as it is, an instant in UTC."""
        return self.text if self.is_date else say_instant(read_instant(self.text, zone))


def days_before(now: Instant, days: int, zone: tzinfo) -> Moment:
    """The date so many local days before the one on the wall now."""
    return Moment(date_of_day(local_day(now, zone) - days).isoformat())


def _read_moment(value: Any) -> Moment:
    moment = Moment(value.strip() if isinstance(value, str) else "")
    try:
        moment.ends(UTC)
    except BadTime:
        raise refuse("should be a date (YYYY-MM-DD) or an ISO 8601 instant") from None
    return moment


def read_at(world: World, at_time: str | None) -> Span:
    """The period asked about: the world's now unless another was given."""
    if at_time is None:
        return world.present
    try:
        return world.read(at_time).span
    except Refused as problem:
        raise BadArgument("at_time", "bad_value", f"at_time: {problem}") from problem


_MOMENT = (PlainValidator(_read_moment), WithJsonSchema({"type": "string"}))

Since = Annotated[Moment, *_MOMENT, Field(description="Only what was said since then: a date or an instant")]
Until = Annotated[Moment, *_MOMENT, Field(description="Only what was said until the end of it: a date or an instant")]

FactType = Annotated[
    str,
    text_up_to(PREDICATE_LIMIT),
    AfterValidator(snake),
    WithJsonSchema({"type": "string", "maxLength": PREDICATE_LIMIT}),
    Field(description="Only facts of this type, such as commitment or employee"),
]

EntityType = Annotated[
    str,
    text_up_to(500),
    WithJsonSchema({"type": "string", "maxLength": 500}),
    Field(description="Only entities of this type, such as Person or Company"),
]

IncludeStale = Annotated[
    bool, Field(description="Also superseded, retracted and closed facts, affiliations outside their time")
]

Format = Annotated[
    Literal["chronological", "clustered"],
    folded_into("chronological", "clustered"),
    Field(description="A list, oldest first; or newest first under each edge label"),
]

FactLimit = Annotated[int, Field(ge=1, le=5000, description="At most this many, the newest"), Whole]
ConflictLimit = Annotated[int, Field(ge=1, le=1000, description="At most this many pairs, the newest"), Whole]
MaxHops = Annotated[int, Field(ge=1, le=4, description="The longest path to look for"), Whole]

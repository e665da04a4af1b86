"""`define_era`, `define_calendar` and `define_date`: the timeline of a world."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired, cast

from pydantic import Field
from typing_extensions import TypedDict

from recollect.ingest.timeline_definitions import define
from recollect.memory import Memory
from recollect.surfaces.lore_engine.results import NAME_LIMIT, WriteOutcome, text_validators
from recollect.surfaces.lore_engine.surface import surface
from recollect.surfaces.lore_engine.write_session import WriteSession, run_write
from recollect.surfaces.parameter_types import fold_case_into
from recollect.when.calendar import FictionalCalendar
from recollect.when.calendar_position import position_of_day
from recollect.when.definition_json import stated_fields
from recollect.when.era import Era
from recollect.when.timeline import Timeline
from recollect.when.timeline_definitions import DefinitionResult
from recollect.when.timeline_lookup import require_era

MAX_SLUG_LENGTH = 64
EraName = Annotated[str, *text_validators(NAME_LIMIT), Field(description="A name; its slug is made from it")]
EraText = Annotated[
    str, *text_validators(NAME_LIMIT), Field(description="An era: its slug, path, name or abbreviation")
]
EraStart = Annotated[
    int | Annotated[str, *text_validators(NAME_LIMIT)] | None,
    Field(description="A year of the calendar, a time, after:ERA, or null for an open start (only counting down)"),
]
EraEnd = Annotated[
    int | Annotated[str, *text_validators(NAME_LIMIT)] | None,
    Field(description="A year of the calendar, a time, or null for an open end"),
]


class EraResult(WriteOutcome):
    """An era as it lies on the axis."""

    slug: str
    path: str
    name: str
    parent_era: str | None
    start: str | None
    end: str | None
    years: int | None
    created: bool
    redefined: bool
    timeline: str


@surface.tool(
    "write",
    example={
        "name": "Salt Years",
        "parent_era": "second_tide",
        "start": "second_tide.year_64",
        "end": "second_tide.year_70",
    },
    idempotent=True,
)
def define_era(
    memory: Memory,
    name: EraName,
    start: EraStart,
    end: EraEnd,
    parent_era: EraText | None = None,
    first_year: Annotated[int, Field(description="The number of its first year")] | None = None,
    direction: Annotated[
        Literal["up", "down"], fold_case_into("up", "down"), Field(description="How its years are counted")
    ]
    | None = None,
    calendar: Annotated[str, *text_validators(NAME_LIMIT), Field(description="The calendar it counts in")]
    | None = None,
    abbreviation: Annotated[str, *text_validators(8), Field(description="As in 45 ST")] | None = None,
) -> EraResult:
    """Put an era on the axis, or move it.

    What was written in a moved era keeps its words and moves along.
    """
    given = {
        "parent_era": parent_era,
        "first_year": first_year,
        "direction": direction,
        "calendar": calendar,
        "abbreviation": abbreviation,
    }
    fields = {"name": name, "start": start, "end": end, **stated_fields(given)}

    def act(session: WriteSession) -> Mapping[str, Any]:
        defined = define(session.change, "era", fields)
        era = next(each for each in defined.timeline.eras if each.path == defined.key)
        return {**_render_era(era), **_render_outcome(defined)}

    return cast(EraResult, run_write(memory, act))


def _render_era(era: Era) -> Mapping[str, Any]:
    return {
        "slug": era.slug,
        "path": era.path,
        "name": era.name,
        "parent_era": era.parent,
        "start": None if era.first_day is None else position_of_day(era, era.first_day).text,
        "end": None if era.last_day is None else position_of_day(era, era.last_day).text,
        "years": era.years,
    }


def _render_outcome(defined: DefinitionResult) -> Mapping[str, Any]:
    return {
        "created": defined.created,
        "redefined": defined.redefined,
        "timeline": "fictional" if defined.timeline.is_fictional else "gregorian",
    }


class MonthView(TypedDict):
    n: int
    name: str | None
    days: int


class CalendarResult(WriteOutcome):
    """A calendar: its months in a common year."""

    name: str
    slug: str
    months: list[MonthView]
    year_days: int
    week: list[str]
    primary: bool
    created: bool
    redefined: bool
    timeline: str


class MonthInput(TypedDict):
    name: NotRequired[str | None]
    days: int


class IntercalaryInput(TypedDict):
    name: str
    after_month: int
    days: int


class LeapRuleInput(TypedDict):
    every: int
    except_every: NotRequired[int | None]
    unless_every: NotRequired[int | None]
    month: int
    days: int


@surface.tool(
    "write",
    example={
        "name": "Tide Reckoning",
        "months": [["Ebb", 30], ["Flow", 30]],
        "intercalary": [{"name": "Stillday", "after_month": 2, "days": 1}],
    },
    idempotent=True,
)
def define_calendar(
    memory: Memory,
    name: EraName,
    months: Annotated[
        list[MonthInput | Annotated[list[Any], Field(min_length=2, max_length=2)] | int],
        Field(min_length=1, max_length=60, description="{name, days}, [name, days] or a number of days, in order"),
    ],
    week: Annotated[
        list[Annotated[str, *text_validators(NAME_LIMIT)]],
        Field(max_length=30, description="The week days; axis day 0 is the first"),
    ]
    | None = None,
    intercalary: Annotated[
        list[IntercalaryInput], Field(max_length=60, description="Extra days, counted to the month they follow")
    ]
    | None = None,
    leap: Annotated[LeapRuleInput, Field(description="Extra days of a month in some years")] | None = None,
) -> CalendarResult:
    """Define months and their lengths.

    The first calendar of a world without eras is its primary one; later ones are used by eras that name them.
    """
    fields: dict[str, Any] = {"name": name, "months": list(months)}
    fields |= stated_fields({"week": week, "intercalary": intercalary, "leap": leap})

    def act(session: WriteSession) -> Mapping[str, Any]:
        defined = define(session.change, "calendar", fields)
        calendar = next(each for each in defined.timeline.calendars if each.slug == defined.key)
        return {**_render_calendar(calendar, defined.timeline), **_render_outcome(defined)}

    return cast(CalendarResult, run_write(memory, act))


def _render_calendar(calendar: FictionalCalendar, timeline: Timeline) -> Mapping[str, Any]:
    return {
        "name": calendar.name,
        "slug": calendar.slug,
        "months": [
            {"n": n, "name": calendar.month_name(n), "days": calendar.common_days(n)}
            for n in range(1, calendar.month_count + 1)
        ],
        "year_days": calendar.year_days,
        "week": list(calendar.week),
        "primary": timeline.primary == calendar,
    }


class DateResult(WriteOutcome):
    """A date that has a name now."""

    slug: str
    label: str
    time: str
    is_current: bool
    created: bool
    redefined: bool
    weekday: str | None


@surface.tool(
    "write",
    example={"slug": "the_breaking", "label": "The Breaking", "era": "second_tide", "year": 45, "month": 11},
    idempotent=True,
)
def define_date(
    memory: Memory,
    slug: Annotated[
        str, *text_validators(MAX_SLUG_LENGTH), Field(description="a-z, 0-9 and _; current sets the world's now")
    ],
    label: Annotated[str, *text_validators(NAME_LIMIT), Field(description="What the date is called")],
    era: EraText,
    year: Annotated[int, Field(description="A year of the era")],
    month: Annotated[int, Field(ge=1, description="A month of the year")] | None = None,
    day: Annotated[int, Field(ge=1, description="A day of the month")] | None = None,
) -> DateResult:
    """Name a date, or set the world's now with slug `current`."""
    fields = {"slug": slug, "label": label, "era": era, "year": year, **stated_fields({"month": month, "day": day})}

    def act(session: WriteSession) -> Mapping[str, Any]:
        defined = define(session.change, "date", fields)
        is_current = slug == "current"
        named = defined.timeline.date(slug)
        time = defined.timeline.now if is_current else named.time if named else None
        if time is None:
            raise LookupError(slug)
        return {
            "slug": slug,
            "label": label,
            "time": time.text,
            "is_current": is_current,
            "created": defined.created,
            "redefined": defined.redefined,
            "weekday": require_era(defined.timeline, era).calendar.weekday(defined.timeline.day_at(time.lo))
            if day is not None
            else None,
        }

    return cast(DateResult, run_write(memory, act))

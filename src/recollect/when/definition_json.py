"""Definitions of calendars, eras and dates as plain JSON, parsed and formatted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recollect.when.calendar import FictionalCalendar, Intercalary, Leap, Month
from recollect.when.era import Direction, is_reserved, slug_of
from recollect.when.time_errors import BadDefinition

Json = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class EraDefinition:
    """An era as defined; its bounds are years of its calendar, times or `after:ERA`."""

    name: str
    start: int | str | None
    end: int | str | None
    parent_era: str | None = None
    first_year: int = 1
    direction: Direction = "up"
    calendar: str | None = None
    abbreviation: str | None = None

    @property
    def path(self) -> str:
        """The path the era will have."""
        slug = slug_of(self.name)
        return slug if self.parent_era is None else f"{self.parent_era}.{slug}"


@dataclass(frozen=True, slots=True)
class DateDefinition:
    slug: str
    label: str
    era: str
    year: int
    month: int | None = None
    day: int | None = None


Definition = FictionalCalendar | EraDefinition | DateDefinition


def read_calendar(fields: Json) -> FictionalCalendar:
    """The calendar that these inputs of `define_calendar` describe."""
    _known_keys(fields, ("name", "months", "week", "intercalary", "leap"))
    name = _text(fields, "name")
    months = tuple(_month(entry) for entry in _list(fields, "months"))
    if not 1 <= len(months) <= 60:
        raise BadDefinition("a calendar has 1 to 60 months", field="months")
    _unique([month.name for month in months if month.name is not None], "months")
    week = tuple(_word(day, "week") for day in _list(fields, "week"))
    _unique(week, "week")
    intercalary = tuple(_intercalary(entry, len(months)) for entry in _list(fields, "intercalary"))
    return FictionalCalendar(check_slug(name), name, months, week, intercalary, _leap(fields.get("leap"), len(months)))


def _month(entry: object) -> Month:
    if isinstance(entry, Mapping):
        _known_keys(entry, ("name", "days"))
        name = None if entry.get("name") is None else _text(entry, "name")
        return Month(name, _within(entry, "days", 1, 1000))
    if isinstance(entry, Sequence) and not isinstance(entry, str) and len(entry) == 2:
        return Month(_word(entry[0], "months"), _number(entry[1], "months", 1, 1000))
    return Month(None, _number(entry, "months", 1, 1000))


def _intercalary(entry: object, months: int) -> Intercalary:
    fields = _object(entry, "intercalary")
    _known_keys(fields, ("name", "after_month", "days"))
    return Intercalary(
        _text(fields, "name"), _within(fields, "after_month", 1, months), _within(fields, "days", 1, 1000)
    )


def _leap(entry: object, months: int) -> Leap | None:
    if entry is None:
        return None
    fields = _object(entry, "leap")
    _known_keys(fields, ("every", "except_every", "unless_every", "month", "days"))
    exceptions = [None if fields.get(key) is None else _within(fields, key, 1, 10**6) for key in _EXCEPTIONS]
    if exceptions[1] is not None and exceptions[0] is None:
        raise BadDefinition("unless_every needs except_every", field="leap")
    every, month = _within(fields, "every", 1, 10**6), _within(fields, "month", 1, months)
    return Leap(every, month, _within(fields, "days", 1, 1000), *exceptions)


_EXCEPTIONS = ("except_every", "unless_every")


def format_calendar(calendar: FictionalCalendar) -> dict[str, object]:
    """The inputs of `define_calendar` that produce this calendar."""
    fields: dict[str, object] = {
        "name": calendar.name,
        "months": [{"name": month.name, "days": month.days} for month in calendar.months],
        "week": list(calendar.week),
        "intercalary": [{"name": i.name, "after_month": i.after_month, "days": i.days} for i in calendar.intercalary],
    }
    leap = calendar.leap
    if leap is not None:
        rule = {"every": leap.every, "except_every": leap.except_every, "unless_every": leap.unless_every}
        fields["leap"] = {**stated_fields(rule), "month": leap.month, "days": leap.days}
    return fields


def read_era(fields: Json) -> EraDefinition:
    """The era that these inputs of `define_era` describe; its bounds are not checked yet."""
    keys = ("name", "parent_era", "start", "end", "first_year", "direction", "calendar", "abbreviation")
    _known_keys(fields, keys)
    name, direction = _text(fields, "name"), _direction(fields.get("direction"))
    check_slug(name)
    first_year = 1 if fields.get("first_year") is None else _within(fields, "first_year", -(10**6), 10**6)
    if direction == "down" and first_year != 1:
        raise BadDefinition("an era that counts down ends with year 1; first_year does not apply", field="first_year")
    optional = [None if fields.get(key) is None else _text(fields, key) for key in ("parent_era", "calendar")]
    abbreviation = None if fields.get("abbreviation") is None else _text(fields, "abbreviation", 8)
    start, end = _bound(fields, "start"), _bound(fields, "end")
    return EraDefinition(name, start, end, optional[0], first_year, direction, optional[1], abbreviation)


def format_era(era: EraDefinition) -> dict[str, object]:
    """The inputs of `define_era` that produce this definition."""
    optional = {"parent_era": era.parent_era, "calendar": era.calendar, "abbreviation": era.abbreviation}
    bounds = {"name": era.name, "start": era.start, "end": era.end}
    return {**bounds, "first_year": era.first_year, "direction": era.direction, **stated_fields(optional)}


def read_date_definition(fields: Json) -> DateDefinition:
    """The date that these inputs of `define_date` describe; its era is not checked yet."""
    _known_keys(fields, ("slug", "label", "era", "year", "month", "day"))
    furthest = 10**9
    month, day = (None if fields.get(key) is None else _within(fields, key, 1, 10**6) for key in ("month", "day"))
    if day is not None and month is None:
        raise BadDefinition("a day needs its month", field="month")
    slug, label = _text(fields, "slug", 64), _text(fields, "label")
    return DateDefinition(slug, label, _text(fields, "era"), _within(fields, "year", -furthest, furthest), month, day)


def format_date_definition(named: DateDefinition) -> dict[str, object]:
    """The inputs of `define_date` that produce this definition."""
    fields = {"slug": named.slug, "label": named.label, "era": named.era, "year": named.year}
    return {**fields, **stated_fields({"month": named.month, "day": named.day})}


def check_slug(name: str) -> str:
    """The slug of a name, which must contain letters and must not be reserved."""
    slug = slug_of(name)
    if not slug or slug.isdigit() or is_reserved(slug):
        raise BadDefinition(
            f"{name!r} cannot be a name here: it needs letters a-z and must not be reserved", field="name"
        )
    return slug


def stated_fields(fields: Mapping[str, object]) -> dict[str, object]:
    """The fields that have a value."""
    return {key: value for key, value in fields.items() if value is not None}


def _known_keys(fields: Mapping[str, object], keys: Sequence[str]) -> None:
    for key in fields:
        if key not in keys:
            raise BadDefinition(f"unknown key {key!r}", field=str(key), accepted=keys)


def _text(fields: Json, key: str, longest: int = 200) -> str:
    return _word(fields.get(key), key, longest)


def _word(value: object, field: str, longest: int = 200) -> str:
    if not isinstance(value, str) or not 1 <= len(value.strip()) <= longest:
        raise BadDefinition(f"{field} must be a text of 1 to {longest} characters", field=field)
    return value.strip()


def _within(fields: Json, key: str, low: int, high: int) -> int:
    return _number(fields.get(key), key, low, high)


def _number(value: object, field: str, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise BadDefinition(f"{field} must be a whole number from {low} to {high}", field=field)
    return value


def _list(fields: Json, key: str) -> Sequence[object]:
    value = fields.get(key)
    if value is None:
        return ()
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise BadDefinition(f"{key} must be a list", field=key)
    return value


def _object(value: object, field: str) -> Json:
    if not isinstance(value, Mapping):
        raise BadDefinition(f"{field} must be an object", field=field)
    return value


def _direction(value: object) -> Direction:
    match value:
        case None | "up":
            return "up"
        case "down":
            return "down"
    raise BadDefinition("direction must be up or down", field="direction", accepted=("up", "down"))


def _bound(fields: Json, key: str) -> int | str | None:
    if key not in fields:
        raise BadDefinition(f"{key} is missing; null is open", field=key)
    value = fields[key]
    if value is None or isinstance(value, str):
        return value
    return _number(value, key, -(10**9), 10**9)


def _unique(names: Sequence[str], field: str) -> None:
    if len(set(names)) != len(names):
        raise BadDefinition(f"names must differ in {field}", field=field)

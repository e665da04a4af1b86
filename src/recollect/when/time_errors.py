"""What can be wrong with a time or with the definition of a timeline."""

from collections.abc import Sequence

from recollect.errors import Conflict, Refused

FORMS = (
    "1848",
    "1848-03",
    "1848-03-17",
    "1848-03-17T10:00:00Z",
    "bce.year_44",
    "era",
    "era.sub_era",
    "era.year_3.month_2.day_1",
    "a defined date",
    "current",
    "1848~",
    "[1848..1850]",
    "[..1850]",
    "[1848..]",
)
FICTIONAL_FORMS = (
    "era",
    "era.sub_era",
    "era.year_3",
    "era.year_3.month_2.day_1",
    "a defined date",
    "current",
    "era.year_3~",
    "[era.year_3..era.year_5]",
    "[..era.year_5]",
    "[era.year_3..]",
)


class BadTime(Refused):
    """A text that is not a time, or one that does not exist in the calendar or era."""

    code = "bad_time"

    def __init__(self, text: str, why: str | None = None, *, accepted: Sequence[str] = FORMS) -> None:
        reason = why or "not a time"
        hint = f"; accepted forms: {', '.join(accepted)}" if accepted and why is None else ""
        super().__init__(f"{text!r}: {reason}{hint}", accepted=accepted if why is None else ())
        self.text = text


class UnknownEra(Refused):
    """A well-formed time in an undefined era."""

    code = "unknown_era"

    def __init__(self, era: str, defined: Sequence[str]) -> None:
        shown = tuple(defined[:10])
        self.hint = "define it with define_era (surface lore-engine); " + (
            f"defined: {', '.join(shown)}" if shown else "no era is defined yet"
        )
        super().__init__(f"there is no era {era!r}: {self.hint}", accepted=shown)
        self.era = era


class UnknownZone(Refused):
    code = "unknown_zone"

    def __init__(self, zone: str) -> None:
        super().__init__(f"{zone!r} is not an IANA time zone such as 'UTC' or 'Europe/Berlin'")
        self.zone = zone


class TimelineFixed(Refused):
    """A form of the timeline that this workspace does not have."""

    code = "timeline_fixed"

    def __init__(self, what: str, kind: str) -> None:
        super().__init__(f"{what} does not fit: this workspace's timeline is {kind}")
        self.kind = kind


class NoCurrentTime(Refused):
    code = "no_current_time"

    def __init__(self) -> None:
        super().__init__("this world has no current time; set it by define_date with slug 'current'")


class EraConflict(Conflict):
    """An era that overlaps a sibling or leaves its parent."""

    code = "era_conflict"

    def __init__(self, era: str, other: str, how: str) -> None:
        super().__init__(f"era {era!r} {how} {other!r}")
        self.era = era
        self.other = other


class DefinitionConflict(Conflict):
    """A definition that stored data depends on in another form."""

    def __init__(self, message: str) -> None:
        super().__init__(message)


class BadDefinition(Refused):
    """A calendar, era or date whose parts do not fit together."""

    code = "bad_input"

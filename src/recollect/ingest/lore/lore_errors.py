"""Why something about a world could not be written."""

from collections.abc import Sequence

from recollect.errors import Conflict, NotKnown, Refused
from recollect.ingest.drafts import UnreadableItem
from recollect.model.ids import format_fact_id


class BadStatement(Refused):
    """A relation, entity or document whose parts do not fit together."""

    code = "BAD_INPUT"


class NoSuchEntity(NotKnown):
    code = "ENTITY_NOT_FOUND"

    def __init__(self, given: str, field: str) -> None:
        super().__init__(f"there is no entity {given!r}")
        self.field = field
        self.more = {"suggestions": list[object]()}


class WrongType(Refused):
    code = "WRONG_TYPE"

    def __init__(self, name: str, field: str, found: str, taken: Sequence[str]) -> None:
        super().__init__(f"{name!r} is of type {found}; {field} takes {', '.join(taken)}", field=field, accepted=taken)
        self.more = {"found": found}


class NoSuchRelation(NotKnown):
    code = "NOT_FOUND"

    def __init__(self, given: str, field: str) -> None:
        super().__init__(f"there is no relation {given!r}")
        self.field = field


class AlreadySuperseded(Conflict):
    code = "CONFLICT"

    def __init__(self, old: str, by: str) -> None:
        super().__init__(f"{format_fact_id(old)} is superseded already; the current one is {format_fact_id(by)}")
        self.field = "supersedes"
        self.more = {"current": format_fact_id(by)}


class UnreadableItems(Refused):
    """A document of which some items cannot be taken; all of them are named."""

    code = "BAD_INPUT"

    def __init__(self, problems: Sequence[UnreadableItem]) -> None:
        first = problems[0]
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        super().__init__(f"line {first.line}: {first.item}: {first.reason}{more}", field="content")
        self.problems = tuple(problems)
        self.more = {
            "line": first.line,
            "problems": [{"line": each.line, "item": each.item, "reason": each.reason} for each in problems],
        }


class BadYaml(Refused):
    """Front matter or a structured document that no YAML reader can read."""

    code = "BAD_INPUT"

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}", field="content")
        self.line = line
        self.more = {"line": line}

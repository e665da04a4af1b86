"""Calendars, eras and dates that a document defines in its front matter or as a YAML file."""

import json
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Any, NamedTuple

from recollect.errors import Conflict, Refused
from recollect.ingest.drafts import UnreadableItem
from recollect.ingest.line import DefinitionKind
from recollect.ingest.lore.entities import to_json_value
from recollect.ingest.lore.front_matter import item_name
from recollect.ingest.lore.markup import YamlList, YamlTable, item_lines
from recollect.ingest.timeline_definitions import define
from recollect.store.change import Change
from recollect.when.timeline_lookup import find_calendar

KEYS: Mapping[str, DefinitionKind] = {
    "calendar": "calendar", "calendars": "calendar", "era": "era", "eras": "era", "dates": "date",
}  # fmt: skip
_NEEDED: Mapping[DefinitionKind, str] = {
    "calendar": "name and months", "era": "name and start", "date": "slug, label, era and year",
}  # fmt: skip


class DefinitionReport(NamedTuple):
    """The outcome of a document's definitions: their number, the failed ones, and the keys that define nothing."""

    applied: int = 0
    problems: tuple[UnreadableItem, ...] = ()
    warnings: tuple[str, ...] = ()


def is_definition(key: str, value: object) -> bool:
    """Whether a key of front matter defines something; `era: Third Age` is only a property."""
    return key in KEYS and isinstance(value, YamlTable | YamlList)


def apply_definitions(change: Change, front: YamlTable) -> DefinitionReport:
    """Apply the definitions of a document, calendars first; repeating them changes nothing."""
    problems: list[UnreadableItem] = []
    items = list(_items(front))
    for kind, value, line in items:
        problem = _fault(change, kind, value)
        if problem is not None:
            problems.append(UnreadableItem(line, f"{kind} {item_name(value)}".strip(), problem))
    return DefinitionReport(len(items) - len(problems), tuple(problems), tuple(_warnings(change, front)))


def definitions_in(front: YamlTable) -> Iterator[tuple[DefinitionKind, dict[str, Any]]]:
    """The well-formed definitions of a document, in the order in which they are applied."""
    for kind, value, _ in _items(front):
        if isinstance(value, YamlTable):
            yield kind, _with_open_end(kind, to_json_value(value))


def _items(front: YamlTable) -> Iterator[tuple[DefinitionKind, Any, int]]:
    for key, kind in KEYS.items():
        value = front.get(key)
        if isinstance(value, YamlTable):
            yield kind, value, front.line_of(key)
        elif isinstance(value, YamlList):
            yield from ((kind, *each) for each in zip(value, item_lines(value, front.line_of(key)), strict=True))


def _fault(change: Change, kind: DefinitionKind, value: Any) -> str | None:
    """Apply one definition; returns the problem, if any."""
    if not isinstance(value, YamlTable):
        return f"{_with_article(kind)} is a table with {_NEEDED[kind]}, as define_{kind} takes them"
    fields = _with_open_end(kind, to_json_value(value))
    said = json.dumps([kind, fields], sort_keys=True, ensure_ascii=False)
    digest = blake2b(said.encode(), digest_size=16, person=b"definition").hexdigest()
    if change.was_ingested(digest):
        return None
    try:
        define(change, kind, fields)
    except (Refused, Conflict) as problem:
        return f"{problem}; {_with_article(kind)} has {_NEEDED[kind]}, as define_{kind} takes them"
    change.mark_ingested(digest)
    return None


def _with_open_end(kind: DefinitionKind, fields: dict[str, Any]) -> dict[str, Any]:
    """An era without an end goes on, as authors leave it out; `define_era` asks for it."""
    return {"end": None, **fields} if kind == "era" else fields


def _with_article(kind: DefinitionKind) -> str:
    return f"an {kind}" if kind == "era" else f"a {kind}"


def _warnings(change: Change, front: YamlTable) -> Iterator[str]:
    value = front.get("calendar")
    if value is None or is_definition("calendar", value) or find_calendar(change.world.timeline, str(value)):
        return
    yield (
        f"line {front.line_of('calendar')}: calendar: {value} was not applied, since no such calendar is defined; "
        "give it name and months, or call define_calendar"
    )

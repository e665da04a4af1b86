"""Telling a memory things in tests, in the neutral form of the bundle, and asking it back."""

from typing import Any

from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_line
from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.resolve.resolver import resolve
from recollect.store.fact_rows import FactFilter, FactRow
from recollect.when.span import Span
from recollect.write.owner import apply_owner_settings


def tell(memory: Memory, *facts: dict[str, Any], entities: list[dict[str, Any]] | None = None, **record: Any) -> bool:
    """Take in one line with these facts; a record if any of its keys is given. False if it changed nothing."""
    line: dict[str, Any] = {"facts": list(facts)}
    if entities:
        line["entities"] = entities
    if record:
        line["record"] = {"type": "note", **record}
    return take_line(memory, line)


def take_line(memory: Memory, line: dict[str, Any]) -> bool:
    """Take in one line as it is; false if it changed nothing."""
    with memory.as_actor("cli", "ingest").write() as change:
        return write_line(change, parse_line(line))


def fact(
    subject: Any, fact_type: str, to: Any, words: str | None = None, label: str = "AFFILIATED", **more: Any
) -> dict[str, Any]:
    stated = {"from": subject, "to": to, "edge_label": label, "fact_type": fact_type, **more}
    return stated if words is None else {**stated, "fact": words}


def entity_named(memory: Memory, name: str, as_of: int | str | None = None) -> Entity | None:
    with memory.read(as_of) as view:
        found = resolve(memory.names(view), name).entity
        return view.entity(found) if found else None


def facts_of(
    memory: Memory, name: str, *, at: str | None = None, as_of: int | str | None = None, every: bool = False
) -> list[FactRow]:
    """The facts of an entity, oldest source first."""
    with memory.read(as_of) as view:
        found = resolve(memory.names(view), name).entity
        if found is None:
            return []
        period: Span = (view.world.read(at) if at else view.world.now).span
        return list(reversed(view.facts_about(found, FactFilter(period, every=every))))


def texts(memory: Memory, name: str, **asked: Any) -> list[str]:
    return [seen.text for seen in facts_of(memory, name, **asked)]


def set_owner(memory: Memory, name: str, email: str) -> None:
    """Say whose memory it is."""
    with memory.write() as change:
        change.put_setting("me.name", name)
        change.put_setting("me.emails", email)
        apply_owner_settings(change)

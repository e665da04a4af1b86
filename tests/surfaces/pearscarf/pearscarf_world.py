"""A small world told through bundle lines, and calls of the surface through the real dispatcher."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_line
from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.surfaces.declarations import Answer
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from recollect.write.retract import delete_entity

Json = dict[str, Any]

# For what is decided before the store is asked.
on_one_engine = pytest.mark.parametrize("engine_name", ["sqlite"])


def ask(memory: Memory, tool: str, arguments: Json) -> Answer:
    declared = find_surface("pearscarf").find(tool)
    return call(declared, lambda each: memory.as_actor("pearscarf", each.name, may_write=False), arguments)


def answer(memory: Memory, tool: str, **arguments: Any) -> Json:
    """What a call that succeeds answers; its text is the same JSON."""
    found = ask(memory, tool, arguments)
    assert not found.is_error, found.structured
    assert [json.loads(text) for text in found.texts] == [found.structured]
    return found.structured


def refusal(memory: Memory, tool: str, **arguments: Any) -> Json:
    """What a call that fails says; its text is the same JSON."""
    found = ask(memory, tool, arguments)
    assert found.is_error, found.structured
    assert [json.loads(text) for text in found.texts] == [found.structured]
    return found.structured


def facts_of(memory: Memory, entity: str, **arguments: Any) -> list[Json]:
    found: list[Json] = answer(memory, "get_facts", entity=entity, **arguments)["facts"]
    return found


def texts_of(memory: Memory, entity: str, **arguments: Any) -> list[str]:
    return [fact["fact"] for fact in facts_of(memory, entity, **arguments)]


def tell(memory: Memory, *facts: Json, record: str | None = None, at: str | None = None, **more: Any) -> None:
    """Take in one line: facts, entities, and the record that says so."""
    line: Json = {"facts": list(facts), **more}
    if record is not None:
        line["record"] = {"id": record, "type": "email", "source_at": at}
    take_line(memory, line)


def take_line(memory: Memory, line: Json) -> None:
    with memory.as_actor("cli", "ingest").write() as change:
        assert write_line(change, parse_line(line))


def fact(who: str, kind: str, whom: Any, text: str | None = None, **more: Any) -> Json:
    """A fact of a line; `kind` is written LABEL/fact_type."""
    label, fact_type = kind.split("/")
    given = {"edge_label": label, "fact_type": fact_type, "from": who, "to": whom, **more}
    return given if text is None else given | {"fact": text}


def person(name: str, **more: Any) -> Json:
    return {"name": name, "type": "Person", **more}


def links(memory: Memory, *pairs: tuple[str, str], at: str = "2026-04-01T08:00:00Z") -> None:
    """Each first knows each second, said by one record."""
    facts = [fact(one, "AFFILIATED/contributor", other, f"{one} works with {other}") for one, other in pairs]
    tell(memory, *facts, record=f"links {pairs} {at}", at=at)


def known(memory: Memory, name: str) -> Entity:
    with memory.read() as view:
        [entity] = view.entities({row.entity for row in view.names_matching(name.casefold())}).values()
    return entity


def delete(memory: Memory, name: str) -> None:
    entity = known(memory, name)
    with memory.as_actor("python", "api").write() as change:
        delete_entity(change, entity, "a mistake")


ODILE = person("Odile Ferrant", aliases=["O. Ferrant"], metadata={"email": "odile@harrowbridge.example"})
WORLD: Sequence[Json] = (
    ODILE,
    {"name": "Harrow Bridge", "type": "Organization"},
    {"name": "Lumen Audit", "type": "Project"},
)
LEDGER = "Odile Ferrant will hand over the Lumen Audit ledger by 9 April"
AUDITOR = "Odile Ferrant is an auditor at Harrow Bridge"
REVIEW = "Teo Quist moved Lumen Audit from Draft to Review"


def harrow_bridge(memory: Memory) -> None:
    """The world of the examples: a mail of 2 April and an issue of 6 April."""
    tell(
        memory,
        fact("Odile Ferrant", "AFFILIATED/employee", "Harrow Bridge", AUDITOR),
        fact(
            "Odile Ferrant", "ASSERTED/commitment", "Lumen Audit", LEDGER, valid_until="2026-04-09", confidence="stated"
        ),
        record="mail_31",
        at="2026-04-02T09:15:00Z",
        entities=list(WORLD),
    )
    tell(
        memory,
        fact("Teo Quist", "TRANSITIONED/stage_change", "Lumen Audit", REVIEW),
        record="lin_8",
        at="2026-04-06T11:00:00Z",
        entities=[person("Teo Quist")],
    )

"""A hundred attacks through every door: none changes what the owner said, none reaches the context of a model unmarked.

The attacks of a door follow each other in one memory, so that one may prepare the next.
"""

import json
import tomllib
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from recollect.change_listeners import standard_listeners
from recollect.importers.formats import detect_format, read_sample
from recollect.memory import Memory, open_memory
from recollect.model.fact import Fact
from recollect.model.ids import FactId
from recollect.reason.item_lookup import closings_of
from recollect.serve.hooks.context_block import UNKNOWN, new_block
from recollect.serve.hooks.recall import add_recall
from recollect.serve.hooks.session_start import add_start
from recollect.settings import Settings
from recollect.store.history_queries import ChangeWindow, fact_versions_begun
from recollect.surfaces.dispatch import call as call_tool
from recollect.surfaces.dispatch import invoke
from recollect.surfaces.registry import find_surface
from tests.conftest import START, MovingClock
from tests.databases import new_sqlite_file
from tests.telling import fact, take_line, tell

HERE = Path(__file__).parent
OWNER = {"me.name": "Ada Brandt", "me.emails": "ada@brandt.example"}
PROJECT = "acme-web"
Attack = dict[str, Any]
Door = Callable[[Memory, Path, Attack], None]


def attacks(door: str) -> list[Attack]:
    found: list[Attack] = tomllib.loads((HERE / f"{door}.toml").read_text("utf-8"))["attack"]
    return found


@pytest.fixture
def memory(sqlite_template: Path, tmp_path: Path, clock: MovingClock) -> Iterator[Memory]:
    """What the owner knows of the world before the attacks."""
    clock.set("2026-05-01T10:00:00Z")
    address = new_sqlite_file(sqlite_template, tmp_path)
    opened = open_memory(address, settings=Settings(file=OWNER), clock=clock, followers=standard_listeners())
    people: list[dict[str, Any]] = [
        {"name": "Mara Lindt", "type": "person", "properties": {"email": "mara@northwind.example"}},
        {"name": "Northwind", "type": "organization"},
    ]
    tell(
        opened,
        fact("Mara Lindt", "employee", "Northwind", "Mara Lindt is head of audit at Northwind", confidence="verified"),
        fact("Mara Lindt", "commitment", "Orion", "Mara Lindt will send the audit report", label="ASSERTED"),
        fact("Orion", "decision", {"literal": "Orion ships on 1 July 2026"}, label="ASSERTED"),
        fact(PROJECT, "convention", {"literal": "run the tests first"}, label="ASSERTED", predicate="convention"),
        {"from": "Mara Lindt", "predicate": "born", "to": None, "valid_from": "1980-02-03"},
        entities=[*people, {"name": "Orion", "type": "project"}, {"name": PROJECT, "type": "project"}],
    )
    call(opened, "remember", text="Ada's bank account is DE11 2222. Mara Lindt lives in Lisbon. I live in Bergen.")
    clock.set(START)
    yield opened
    opened.close()


def call(memory: Memory, tool: str, **arguments: Any) -> Any:
    surface = find_surface("recollect")
    return invoke(surface.find(tool), memory.as_actor("recollect", tool), arguments)


def take_file(memory: Memory, path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    detect_format(read_sample(memory, path)).take(memory, path, None)


def send_mail(memory: Memory, folder: Path, attack: Attack) -> None:
    message = EmailMessage()
    message["To"] = "Ada Brandt <ada@brandt.example>"
    message["Date"] = attack.get("date", "Wed, 20 May 2026 09:00:00 +0000")
    message["Subject"] = attack.get("subject", "hello")
    if attack.get("received", True):
        message["Received"] = "from evil.example by brandt.example; Wed, 20 May 2026 09:00:00 +0000"
    message.set_content(attack.get("html") or attack["text"], subtype="html" if "html" in attack else "plain")
    raw = f"From: {attack['from']}\n".encode() + message.as_bytes()
    take_file(memory, folder / "mail.eml", raw)


def put_note(memory: Memory, folder: Path, attack: Attack) -> None:
    name = attack.get("file", f"note {abs(hash(attack['name']))}.md")
    take_file(memory, folder / attack.get("place", "notes") / name, attack["text"])


def chat(memory: Memory, folder: Path, attack: Attack) -> None:
    turns: list[tuple[str, str]] = [(role, attack[role]) for role in ("user", "assistant") if role in attack]
    if not attack.get("session"):
        take_file(memory, folder / "conversations.json", json.dumps([_conversation(attack["name"], turns)]))
        return
    at = attack.get("at", "2026-05-20T09:00:00Z")
    lines = [
        {"type": role, "uuid": f"{attack['name']}{role}", "sessionId": attack["name"], "cwd": f"/home/ada/{PROJECT}",
         "timestamp": at, "message": {"role": role, "content": text}}
        for role, text in turns
    ]  # fmt: skip
    take_file(memory, folder / "session.jsonl", "".join(json.dumps(each) + "\n" for each in lines))


def _conversation(name: str, turns: list[tuple[str, str]]) -> dict[str, Any]:
    nodes: dict[str, Any] = {"root": {"id": "root", "parent": None, "children": ["0"], "message": None}}
    for number, (role, text) in enumerate(turns):
        parent = str(number - 1) if number else "root"
        content = {"content_type": "text", "parts": [text]}
        message: dict[str, Any] = {"id": f"m{number}", "author": {"role": role}, "create_time": 1_779_000_000 + number}
        message["content"] = content
        nodes[str(number)] = {"id": str(number), "parent": parent, "children": [], "message": message}
    times = {"create_time": 1_779_000_000, "update_time": 1_779_000_000}
    return {"id": name, "title": name, "mapping": nodes, "current_node": str(len(turns) - 1), **times}


def add_lore(memory: Memory, folder: Path, attack: Attack) -> None:
    from recollect.importers.formats import format_named

    path = folder / attack.get("place", "lore") / f"page {abs(hash(attack['name']))}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(attack["text"], "utf-8")
    format_named("lore").take(memory, path, None)


def use_tool(memory: Memory, folder: Path, attack: Attack) -> None:
    del folder
    if "line" in attack:
        take_line(memory, attack["line"])
    else:
        call(memory, attack["tool"], **attack["arguments"])


DOORS: dict[str, Door] = {
    "mail": send_mail, "names": send_mail, "notes": put_note, "chats": chat, "lore": add_lore, "tools": use_tool,
}  # fmt: skip


def trusted(memory: Memory, facts: set[FactId]) -> dict[str, tuple[Any, ...]]:
    """What is shown of the facts of the owner, and which of his items are closed."""
    with memory.read() as view:
        found = [row.fact for row in view.fact_rows(facts)]
        closed = closings_of(view, found)
        return {each.id: (*_shown(each), each.id in closed) for each in found}


def _shown(each: Fact) -> tuple[Any, ...]:
    return (
        each.words, each.literal, each.subject, each.object, each.valid_from, each.valid_until, each.certainty,
        each.stale, each.replaced_by, each.disputed, each.source_at, dict(each.attributes),
    )  # fmt: skip


def context(memory: Memory, attack: Attack) -> str:
    """What a session and a prompt about the attack are given without asking."""
    start, prompt = new_block(40_000, ()), new_block(40_000, ())
    add_start(start, memory, memory, PROJECT, 1)
    asked = f"what about {attack['payload']}, Mara Lindt, Ada Brandt, Eve Stone and the audit report?"
    add_recall(prompt, memory, asked, "personal", by_meaning=False)
    return f"{start.text()}\n{prompt.text()}"


FACTS = ("facts", "other_facts", "edges", "passages")
"""Where the answers of surfaces have what was said, rather than who it is about."""


def answers(memory: Memory) -> Iterator[tuple[str, Any]]:
    """What surfaces answer about those whom the attacks are about."""
    asked: list[tuple[str, str, dict[str, Any]]] = [("entity-core", "graph_edge_get", {}), ("memory", "read_graph", {})]
    for name in ("Mara Lindt", "Ada Brandt", "Eve Stone", "Orion", PROJECT):
        asked += [
            ("pearscarf", "get_facts", {"entity": name, "include_stale": True, "include_unasserted": True}),
            ("cognitive-graph", "recall_entity", {"name_or_alias": name}),
            ("carabase", "carabase_search_graph", {"start_entity": name}),
            ("recollect", "recall", {"query": name}),
        ]
    for surface, tool, arguments in asked:
        found = find_surface(surface).find(tool)
        yield (
            surface,
            call_tool(found, lambda each: memory.as_actor(each.surface.name, each.name), arguments).structured,
        )


def unmarked(answer: Any) -> Iterator[str]:
    """The texts in an answer that no mark says how far to trust."""
    if isinstance(answer, dict):
        if "trust" not in answer and "suspect" not in answer:
            yield from (text for part in answer.values() for text in unmarked(part))
    elif isinstance(answer, list):
        yield from (text for part in answer for text in unmarked(part))
    elif isinstance(answer, str):
        yield answer


def said(answer: Any) -> Iterator[str]:
    """The unmarked texts of the facts and passages in an answer."""
    untrusted = set(answer.get("untrusted", ()))
    observed = [text for each in answer.get("entities", ()) for text in each.get("observations", ())]
    yield from (text for text in observed if text not in untrusted)
    yield from (text for key in FACTS if key in answer for text in unmarked(answer[key]))


def test_there_are_a_hundred_attacks() -> None:
    assert sum(len(attacks(door)) for door in DOORS) >= 100


@pytest.mark.parametrize("door", DOORS)
def test_no_attack_changes_a_trusted_fact_or_reaches_the_context_unmarked(
    door: str, memory: Memory, tmp_path: Path
) -> None:
    with memory.read() as view:
        facts = {each.id for each in fact_versions_begun(view, ChangeWindow(0, view.last_tx, 100))}
    before = trusted(memory, facts)
    assert len(before) >= 6
    for number, attack in enumerate(attacks(door)):
        DOORS[door](memory, tmp_path / str(number), attack)
        assert trusted(memory, facts) == before, attack["name"]
        lines = [line for line in context(memory, attack).splitlines() if not line.startswith(f"- {UNKNOWN}")]
        shown = [line for line in lines if attack["payload"].casefold() in line.casefold()]
        assert (attack["name"], shown) == (attack["name"], [])
    for surface, answer in answers(memory):
        for text in said(answer):
            found = [each["name"] for each in attacks(door) if each["payload"].casefold() in text.casefold()]
            assert (surface, text, found) == (surface, text, [])

"""Attacks through every door: none changes what the owner said, none reaches the context of a model unmarked.

The attacks of a door follow each other in one memory, so that one may prepare the next.
"""

import json
import tomllib
from collections.abc import Callable, Iterator
from email import message_from_string
from email.message import EmailMessage
from email.policy import default as default_policy
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from recollect.change_listeners import standard_listeners
from recollect.importers.formats import detect_format, read_sample
from recollect.memory import Memory, open_memory
from recollect.model.fact import Fact
from recollect.model.ids import FactId
from recollect.model.trust import trust_in
from recollect.reason.items.item_lookup import closings_of
from recollect.serve.hooks.context import UNKNOWN, new_block
from recollect.serve.hooks.prompt_recall import add_recall
from recollect.serve.hooks.session_start import add_start
from recollect.settings import Settings
from recollect.store.activity_queries import ChangeWindow, fact_versions_begun
from recollect.store.document_queries import list_documents
from recollect.surfaces.dispatch import invoke
from recollect.surfaces.registry import find_surface
from recollect.write.trust_rules import changed_rules
from tests.attacks.surface_reads import every_read, unmarked, unmarked_lines
from tests.conftest import START, MovingClock
from tests.support.databases import gather_statistics
from tests.support.facts import fact, take_line, tell

HERE = Path(__file__).parent
OWNER = {"me.name": "Ada Brandt", "me.emails": "ada@brandt.example"}
PROJECT = "acme-web"
NAMES = ("Mara Lindt", "Ada Brandt", "Eve Stone", "Orion", "Lisbon", "Nora Berg", "Vera Kalt")
"""Whom and what the attacks are about."""
Attack = dict[str, Any]
Door = Callable[[Memory, Path, Attack], None]


def attacks(door: str) -> list[Attack]:
    found: list[Attack] = tomllib.loads((HERE / f"{door}.toml").read_text("utf-8"))["attack"]
    return found


@pytest.fixture
def memory(address: str, clock: MovingClock) -> Iterator[Memory]:
    """What the owner knows of the world before the attacks."""
    clock.set("2026-05-01T10:00:00Z")
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
    call(opened, "remember", text="Nora Berg works at Orion Labs. Nora Berg lives in Oslo.")
    call(opened, "remember", text="I will pay the plumber by 2026-06-05. The dentist appointment is on 2026-06-10.")
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
    for name, value in attack.get("headers", {}).items():
        message[name] = value
    message.set_content(attack.get("html") or attack["text"], subtype="html" if "html" in attack else "plain")
    _attach(message, attack.get("attached"))
    raw = f"From: {attack['from']}\n".encode() + message.as_bytes()
    take_file(memory, folder / "mail.eml", raw)


def _attach(message: EmailMessage, attached: dict[str, str] | None) -> None:
    if attached is None:
        return
    text, type_ = attached["text"].lstrip(), attached["type"]
    if type_ == "message/rfc822":
        message.add_attachment(message_from_string(text, policy=default_policy))
    else:
        message.add_attachment(text, subtype=type_.partition("/")[2], filename=attached["name"])


def put_note(memory: Memory, folder: Path, attack: Attack) -> None:
    name = attack.get("file", f"note {crc32(attack['name'].encode())}.md")
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

    path = folder / attack.get("place", "lore") / f"page {crc32(attack['name'].encode())}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(attack["text"], "utf-8")
    format_named("lore").take(memory, path, None)


def use_tool(memory: Memory, folder: Path, attack: Attack) -> None:
    del folder
    if "line" in attack:
        take_line(memory, attack["line"])
    else:
        call(memory, attack["tool"], **attack["arguments"])


def put_file(name: str) -> Door:
    """Lay a file of a kind into a folder that is taken in."""

    def put(memory: Memory, folder: Path, attack: Attack) -> None:
        take_file(memory, folder / attack.get("place", "files") / name, attack["text"])

    return put


def put_named_file(memory: Memory, folder: Path, attack: Attack) -> None:
    put_file(attack["file"])(memory, folder, attack)


def use_distrusted_tool(memory: Memory, folder: Path, attack: Attack) -> None:
    """Call a tool after a rule was set that what it writes is not trusted."""
    del folder
    surface, name = attack["surface"], attack["tool"]
    with memory.write() as change:
        change.put_setting(*changed_rules(change, "tool", f"{surface}.{name}", "untrusted"))
    tool = find_surface(surface).find(name)
    invoke(tool, memory.as_actor(surface, name), attack["arguments"])


def through_its_door(memory: Memory, folder: Path, attack: Attack) -> None:
    door = attack["door"]
    (DOORS | FURTHER_DOORS)[door](memory, folder, attack)


DOORS: dict[str, Door] = {
    "mail": send_mail, "names": send_mail, "notes": put_note, "chats": chat, "lore": add_lore, "tools": use_tool,
    "mixed": through_its_door, "further": through_its_door, "identity": through_its_door,
    "corrections": through_its_door, "disguises": through_its_door, "forwarded": through_its_door,
}  # fmt: skip
FURTHER_DOORS: dict[str, Door] = {
    "gedcom": put_file("tree.ged"), "calendar": put_file("dates.ics"), "whatsapp": put_file("_chat.txt"),
    "file": put_named_file, "distrusted": use_distrusted_tool,
}  # fmt: skip


def trusted(memory: Memory, facts: set[FactId]) -> dict[str, tuple[Any, ...]]:
    """What is shown of the facts of the owner, and which of his items are closed."""
    with memory.read() as view:
        found = [row.fact for row in view.fact_rows(facts)]
        closed = closings_of(view, found)
        return {each.id: (*_shown(each), each.id in closed) for each in found}


def described(memory: Memory, facts: set[FactId]) -> dict[str, tuple[str, dict[str, Any]]]:
    """The names of the entities of the owner's facts, and the properties that are not only claimed."""
    with memory.read() as view:
        ends = {end for row in view.fact_rows(facts) for end in (row.fact.subject, row.fact.object) if end is not None}
        found = [each for each in map(view.survivor, ends) if each is not None]
    shown = {each.id: {**each.given_properties} for each in found}
    return {
        each.id: (each.name, {key: shown[each.id][key] for key in shown[each.id] if key != "claimed"}) for each in found
    }


def senders_levels(memory: Memory) -> set[str]:
    """How far the mails are trusted."""
    with memory.read() as view:
        listed = [view.document_named(each.kind, each.key) for each in list_documents(view, None, 10_000)]
    return {trust_in(each.properties) for each in listed if each is not None and each.type == "email"}


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


def test_there_are_a_hundred_attacks() -> None:
    assert sum(len(attacks(door)) for door in DOORS) >= 294


@pytest.mark.parametrize("door", DOORS)
def test_no_attack_changes_a_trusted_fact_or_reaches_the_context_unmarked(
    door: str, memory: Memory, tmp_path: Path
) -> None:
    with memory.read() as view:
        facts = {each.id for each in fact_versions_begun(view, ChangeWindow(0, view.last_tx, 100))}
    before, names = trusted(memory, facts), described(memory, facts)
    assert len(before) >= 6
    for number, attack in enumerate(attacks(door)):
        if number % 10 == 0:
            gather_statistics(memory)
        DOORS[door](memory, tmp_path / str(number), attack)
        assert trusted(memory, facts) == before, attack["name"]
        assert described(memory, facts) == names, attack["name"]
        assert not senders_levels(memory) & {"owner", "known"}, attack["name"]
        lines = [line for line in context(memory, attack).splitlines() if not line.startswith(f"- {UNKNOWN}")]
        shown = [line for line in lines if attack["payload"].casefold() in line.casefold()]
        assert (attack["name"], shown) == (attack["name"], [])
    payloads = [each["payload"].casefold() for each in attacks(door) if not each.get("own")]
    gather_statistics(memory)
    shown_plainly = {
        (asked.tool, text)
        for asked in every_read(memory, NAMES)
        for text in (*unmarked(asked.structured), *unmarked_lines(asked))
        if any(payload in text.casefold() for payload in payloads) and text not in NAMES
    }
    assert shown_plainly == set()

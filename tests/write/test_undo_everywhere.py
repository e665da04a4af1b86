"""Whatever is done through any surface, undoing it makes the read tools of all surfaces answer as before.

`RECOLLECT_UNDO_STEPS` and `RECOLLECT_UNDO_SEEDS` make the campaign longer.
"""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any, get_args

import pytest

from recollect.errors import Conflict, RecollectError
from recollect.ingest.timeline_definitions import undo_transaction
from recollect.keep.forgetting.hiding import hide_document, hide_entity, hide_fact
from recollect.keep.graph.extraction_queue import requeue_after_undo
from recollect.memory import Memory, WorkspaceCache
from recollect.model.entity import Entity
from recollect.reason.corrections import Correction, Mode, NewTarget, correct_fact, is_closable_item
from recollect.search import relevance
from recollect.search.recall import RecallRequest, recall
from recollect.search.recall_results import Recalled, RecalledFact
from recollect.store import fact_index
from recollect.store.change import Change
from recollect.store.tables import ASSERTION, ENTITY, FACT, NAME, OPEN, VersionedTable
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from recollect.write.merge import merge
from recollect.write.retract import delete_entity
from tests.conftest import MovingClock
from tests.support.calls import last_tx
from tests.support.facts import fact, take_line
from tests.support.hash_embedder import HashEmbedder
from tests.support.surface_answers import answers, differences

KEPT = (ENTITY, NAME, FACT, ASSERTION)
STEPS = int(os.environ.get("RECOLLECT_UNDO_STEPS", "8"))
SEEDS = int(os.environ.get("RECOLLECT_UNDO_SEEDS", "1"))
PEOPLE = ("Ada", "Bob", "Cleo")
THINGS = ("Boat", "Loom", "Acme")
NAMES = (*PEOPLE, *THINGS, "Bobby")
ASKED = ("Ada", "Bob", "Boat", "Bobby", "Me")
QUERIES = ("Ada owns the boat", "who works on looms")
SAID = (
    "I live in Porto.",
    "I don't live in Porto.",
    "I moved to Faro in March 2026.",
    "My name is Ada.",
    "My flat rent is 950.",
    "I own a Loom.",
    "I sold my Loom.",
    "Ada works at Acme since 2024.",
    "Ada is no longer at Acme.",
    "Ada joined Acme in 2019 and left in 2023.",
    "Bob uses the Loom.",
    "Bob switched from the Loom to Anvil.",
    "Bob no longer uses the Loom.",
    "Ada will mend the Loom by 1 June.",
    "Ada will mend the Loom by 9 June.",
    "Ada has mended the Loom.",
    "The Boat is blocked by the broken mast.",
    "The broken mast is fixed.",
    "The deadline of the Boat is 1 June.",
    "The deadline of the Boat moved from 1 June to 9 June.",
    "Bob asked Cleo to paint the Boat by Friday.",
    "Cleo painted the Boat.",
    "Who mends the Loom?",
)
YEARS = ("2024", "2025-03", "2026-02-10", None)


@pytest.fixture(autouse=True)
def as_after_many_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """The index of facts catches up every few transactions, and the floor rises with the first texts."""
    monkeypatch.setattr(fact_index, "EVERY", 5)
    monkeypatch.setattr(relevance, "SMALL_STORE", 2)


@dataclass
class Life:
    """A memory that things happen to at random."""

    memory: Memory
    clock: MovingClock
    random: Random
    log: list[str] = field(default_factory=list)

    @property
    def last_tx(self) -> int:
        return last_tx(self.memory)

    def answers(self) -> dict[str, Any]:
        said = answers(self.memory, ASKED, QUERIES)  # first, since this embeds what waits
        return said | {f"scores of {query}": self.scores(query) for query in QUERIES}

    def scores(self, query: str) -> dict[str, float]:
        """What every result of a question scores: a shift too small to move one here moves one in another store."""
        with self.memory.read() as view:
            found = recall(self.memory, view, RecallRequest(query, view.world.present))
        return {key_of(each): round(each.score, 9) for each in found}

    def compare(self, before: dict[str, Any]) -> None:
        found = differences(before, self.answers())
        assert not found, "\n".join([*self.log, *found[:20]])

    def ask(self, surface: str, tool: str, **arguments: Any) -> None:
        self.log.append(f"{surface}.{tool} {json.dumps(arguments)}")
        found = find_surface(surface).find(tool)
        answer = call(found, lambda each: self.memory.as_actor(surface, each.name), arguments)
        assert answer.outcome != "crashed", "\n".join(self.log)

    def write(self, what: str, act: Callable[[Change], object]) -> None:
        self.log.append(what)
        try:
            with self.memory.as_actor("recollect", "test").write() as change:
                act(change)
        except RecollectError as refused:
            self.log.append(f"  refused: {refused}")

    def undo(self, tx: int) -> None:
        with self.memory.as_actor("recollect", "undo").write() as change:
            undo_transaction(self.memory, change, tx)
            requeue_after_undo(change)

    def any_fact(self, change: Change) -> Any:
        found = [each for name in NAMES for each in facts_named(change, name)]
        return self.random.choice(found) if found else None

    def any_entity(self, change: Change) -> Entity | None:
        named = change.entities_named(self.random.choice(NAMES).casefold())
        return named[0][1] if named else None


def key_of(each: Recalled) -> str:
    return each.row.fact.id if isinstance(each, RecalledFact) else f"{each.chunk.document} {each.chunk.seq}"


def facts_named(change: Change, name: str) -> list[Any]:
    return [fact for _, entity in change.entities_named(name.casefold()) for fact in change.facts_touching(entity.id)]


def record_by_hand(life: Life) -> None:
    subject = {"type": "person", "name": life.random.choice(PEOPLE)}
    target: dict[str, str] = {"type": "project", "name": life.random.choice(THINGS)}
    predicate = life.random.choice(("belongs_to", "blocked_by", "depends_on", "tagged"))
    if predicate == "tagged":
        target = {"literal": life.random.choice(("alias:Bobby", "busy"))}
    life.ask("cognitive-graph", "record_fact", subject=subject, predicate=predicate, object=target, source="chat")


def ingest(life: Life) -> None:
    choose = life.random.choice
    facts: list[dict[str, Any]] = []
    for _ in range(life.random.randint(1, 3)):
        label, kind = choose((("AFFILIATED", "employee"), ("ASSERTED", "commitment"), ("TRANSITIONED", "completion")))
        words = choose((None, "Ada sends the loom", "The boat is ready"))
        bounds = {"valid_from": choose(YEARS), "valid_until": choose(YEARS)}
        more = {key: value for key, value in bounds.items() if value is not None}
        facts.append(fact(choose(PEOPLE), kind, choose(THINGS), words, label=label, **more))
    record = {"id": f"mail-{life.random.randint(1, 3)}", "type": "email"}
    record["content"] = f"{choose(QUERIES)}. {choose(NAMES)}"
    record["source_at"] = f"2026-0{life.random.randint(1, 5)}-01T00:00:00Z"
    life.log.append(f"ingest {record['id']} {json.dumps(facts)}")
    with suppress(RecollectError):
        take_line(life.memory, {"record": record, "facts": facts})


def add_memory(life: Life) -> None:
    day = f"2026-05-0{life.random.randint(1, 3)}"
    text = f"- {life.random.choice(PEOPLE)} met {life.random.choice(PEOPLE)} at the {life.random.choice(THINGS)}"
    tool = life.random.choice(("memory_create", "memory_create", "memory_update", "memory_delete"))
    more = {} if tool == "memory_delete" else {"content": text}
    life.ask("entity-core", tool, granularity="daily", date=day, instanceId="desk", **more)


def add_edge(life: Life) -> None:
    one, other = life.random.choice(PEOPLE), life.random.choice(THINGS)
    nodes = [{"type": "person", "label": one, "aliases": [f"{one}by"]}, {"type": "thing", "label": other}]
    edges = [{"fromLabel": one, "toLabel": other, "type": life.random.choice(("owns", "works_at"))}]
    life.ask("entity-core", "graph_write_transaction", nodes=nodes, edges=edges)


def add_lore(life: Life) -> None:
    start = life.random.choice(YEARS)
    more = {} if start is None else {"valid_from": start}
    relation = life.random.choice(("MARRIED_TO", "ALLIED_WITH", "PARENT_OF"))
    one, other = life.random.sample(PEOPLE, 2)
    life.ask("lore-engine", "add_relation", **{"from": one, "relation": relation, "to": other, **more})


def commit_to_folio(life: Life) -> None:
    content = f"{life.random.choice(PEOPLE)} owns the {life.random.choice(THINGS)}."
    life.ask("carabase", "commit_to_folio", folioName="Harbour", content=content)


def correct(life: Life) -> None:
    def act(change: Change) -> None:
        found, mode = life.any_fact(change), life.random.choice(get_args(Mode))
        if found is None:
            return
        target = NewTarget(literal="something else") if mode == "changed" or life.random.random() < 0.3 else None
        if mode == "ended" and not is_closable_item(found):
            target = None
        when = change.world.read(life.random.choice(("2026-05-20", "2026-03", "2025")))
        life.log.append(f"  {mode} {found.predicate} {found.id}")
        correct_fact(change, found, Correction(mode, when, target, "because"))

    life.write("correct", act)


def hide(life: Life) -> None:
    kind = life.random.choice(("fact", "entity", "document"))

    def act(change: Change) -> None:
        if kind == "fact" and (found := life.any_fact(change)) is not None:
            hide_fact(change, found)
        elif kind == "entity" and (entity := life.any_entity(change)) is not None:
            hide_entity(change, entity)
        elif kind == "document":
            number = life.random.randint(1, 3)
            keys = [("record", f"mail-{number}"), ("memory", f"daily-2026-05-0{number}_desk")]
            document = change.document_named(*life.random.choice(keys))
            if document is not None:
                hide_document(change, document)

    life.write(f"hide {kind}", act)


def merge_or_delete(life: Life) -> None:
    def act(change: Change) -> None:
        one, other = life.any_entity(change), life.any_entity(change)
        if one is not None and other is not None and life.random.random() < 0.7:
            merge(change, one, other)
        elif one is not None:
            delete_entity(change, one, "a mistake")

    life.write("merge or delete", act)


def remember(life: Life) -> None:
    choose = life.random.choice
    said = choose((None, *SAID))
    facts = []
    for _ in range(life.random.randint(0 if said else 1, 2)):
        given: dict[str, Any] = {
            "subject": choose((*PEOPLE, "me")),
            "predicate": choose(("uses", "rent", "commitment", "goal", "blocked_by", "request")),
        }
        given |= choose(({"value": "mend the sail"}, {"value": 900}, {"object": choose(THINGS)}))
        given |= choose(({}, {"replaces": True}, {"valid_from": "2025"}, {"confidence": "inferred"}))
        facts.append(given)
    life.ask("recollect", "remember", **({"text": said} if said else {}), facts=facts, source="chat")


def decide(life: Life) -> None:
    found = find_surface("recollect").find("review")
    items = call(found, lambda each: life.memory.as_actor("recollect", each.name), {}).structured["items"]
    if items:
        item = life.random.choice(items)
        life.ask("recollect", "review", decide={"id": item["id"], "choice": life.random.choice(item["choices"])})


EVERYDAY = [each for each in (("remember", remember), ("review", decide)) if each[0] in find_surface("recollect").tools]
DEEDS = (
    *(deed for _, deed in EVERYDAY),
    *(deed for _, deed in EVERYDAY),
    record_by_hand,
    ingest,
    ingest,
    add_memory,
    add_edge,
    add_lore,
    commit_to_folio,
    correct,
    correct,
    hide,
    hide,
    merge_or_delete,
)


def steps_on(memory: Memory) -> int:
    """The questions take several times as long on a server, so that fewer are asked there."""
    return STEPS if memory.engine.name == "sqlite" else max(3, STEPS // 3)


def assert_nothing_hangs_in_the_air(memory: Memory) -> None:
    """Every fact has its ends and a source, every name and mention its entity."""
    with memory.write() as change:
        txs = range(1, change.last_tx + 1)
        tables = {table: [row for tx in txs for row in standing(change, table, tx)] for table in KEPT}
    entities, facts = ({row[1] for row in tables[table]} for table in (ENTITY, FACT))
    for row in tables[FACT]:
        ends = dict(zip(FACT.columns, row, strict=True))
        assert {end for end in (ends["subject"], ends["object"]) if end} <= entities
    assert {row[2] for row in tables[NAME]} <= entities
    assert {row[4] for row in tables[ASSERTION]} <= facts


def standing(change: Change, table: VersionedTable, tx: int) -> list[Any]:
    width = 1 + len(table.key)
    return [row for row in change.connection.begun_by(table, change.ws, tx) if row[width + 1] == OPEN]


@pytest.mark.parametrize("seed", range(SEEDS))
def test_any_earlier_transaction_is_undone_and_redone_or_refused(memory: Memory, clock: MovingClock, seed: int) -> None:
    steps = steps_on(memory)
    life = Life(memory.with_parts(cache=WorkspaceCache([HashEmbedder()])), clock, Random(1000 + seed))
    for step in range(2 * steps):
        clock.set(f"2026-05-20T10:{step // 60:02d}:{step % 60:02d}Z")
        life.random.choice(DEEDS)(life)
    before, last = life.answers(), life.last_tx
    for tx in life.random.sample(range(1, last + 1), min(steps, last)):
        life.log.append(f"undo {tx}")
        now = life.last_tx
        try:
            life.undo(tx)
        except Conflict:
            assert life.last_tx == now
            continue
        assert_nothing_hangs_in_the_air(life.memory)
        life.undo(life.last_tx)
        life.compare(before)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_undoing_anything_makes_all_surfaces_answer_as_before(memory: Memory, clock: MovingClock, seed: int) -> None:
    own = memory.with_parts(cache=WorkspaceCache([HashEmbedder()]))
    life = Life(own, clock, Random(seed))
    before = life.answers()
    for step in range(steps_on(memory)):
        clock.set(f"2026-05-20T10:{step // 60:02d}:{step % 60:02d}Z")
        tx = life.last_tx
        life.random.choice(DEEDS)(life)
        done = life.last_tx
        if done == tx:
            continue
        assert done == tx + 1, life.log
        after = life.answers()
        life.undo(done)
        life.compare(before)
        life.undo(life.last_tx)
        life.compare(after)
        before = after


def test_a_text_stays_hidden_after_an_undone_ingest_that_stated_other_hidden_facts(
    memory: Memory, clock: MovingClock
) -> None:
    life = Life(memory.with_parts(cache=WorkspaceCache([HashEmbedder()])), clock, Random(0))

    def take(key: str, *facts: dict[str, Any]) -> None:
        record = {"id": key, "type": "email", "content": f"{QUERIES[1]}. Bob", "source_at": "2026-04-01T00:00:00Z"}
        assert take_line(life.memory, {"record": record, "facts": list(facts)})

    def named(change: Change, name: str) -> Entity:
        return change.entities_named(name.casefold())[0][1]

    take("mail-1", fact("Ada", "employee", "Acme"))
    take("mail-2", fact("Bob", "employee", "Loom"))
    life.write("hide Ada at Acme", lambda change: hide_fact(change, change.facts_touching(named(change, "Ada").id)[0]))
    life.write("hide the loom", lambda change: hide_entity(change, named(change, "Loom")))
    before = life.answers()
    take("mail-2", fact("Ada", "employee", "Acme"), fact("Ada", "employee", "Boat"))
    life.undo(life.last_tx)
    life.compare(before)

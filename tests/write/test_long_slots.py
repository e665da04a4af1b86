"""A slot of which a writer reads only what a statement can reach stands as one that it reads as a whole."""

from datetime import UTC
from random import Random
from typing import Any, NamedTuple

import pytest

from recollect.memory import Memory
from recollect.model.certainty import Certainty
from recollect.model.fact import Fact, Label, Policy, Source, Statement
from recollect.model.ids import FactId
from recollect.model.trust import Trust
from recollect.store.cached_view import CachedView
from recollect.store.change import Change
from recollect.store.view import View
from recollect.when.instant import DAY, Instant, read_instant
from recollect.when.period import Time
from recollect.write.entity_refs import NamedRef, find_or_create
from recollect.write.predicates import claim
from recollect.write.record_statement import record_statement

START = read_instant("2026-04-01T08:00:00Z", UTC)
WORDS = (
    "is at the mill", "Is at the mill.", "is at the mill 2", "is  at the mill", "rests at home", "rests in Köln",
    "rests in KÖLN", "is at the STRASSE", "is at the Straße", "walks", "walks!", "reads 12 books", "reads 12 book",
    None,
)  # fmt: skip
CERTAINTIES: tuple[Certainty, ...] = ("stated",) * 12 + ("inferred",) * 3 + ("retracted", "verified")
LEVELS: tuple[Trust, ...] = ("owner",) * 14 + ("known", "unknown")
EVERY = 1_000_000


class Said(NamedTuple):
    """What is said of each of two people."""

    words: str | None
    at: Instant
    certainty: Certainty
    trust: Trust
    since: Time | None
    until: Time | None
    policy: Policy | None
    attributes: dict[str, Any]


def say(change: Change, who: str, label: Label, said: Said) -> int:
    """The slot of what was said of one of them."""
    ends = [find_or_create(change, NamedRef(*end)).entity.id for end in ((who, "person"), ("Engine", "project"))]
    meant = claim(change, ends[0], ends[1], None, predicate=None, label=label, fact_type="role")
    meant = meant if said.policy is None else meant._replace(policy=said.policy)
    source = Source(key=f"source {said.at}", trust=said.trust)
    statement = Statement(
        meant, said.at, said.certainty, "extracted", 0.9, said.words,
        valid_from=said.since, valid_until=said.until, source=source, attributes=said.attributes,
    )  # fmt: skip
    return record_statement(change, statement).fact.slot


def standing(view: View, slot: int) -> list[tuple[Any, ...]]:
    """The facts of a slot, numbered in the order in which they were made."""
    facts = view.facts_in_slot(slot)
    numbers = {fact.id: number for number, fact in enumerate(facts)}
    return [
        (*_content(fact), fact.replaced_by and numbers.get(fact.replaced_by), _disputes(view, fact, numbers))
        for fact in facts
    ]


def _content(fact: Fact) -> tuple[Any, ...]:
    return fact.words, fact.bounds, fact.source_at, fact.certainty, fact.stale, fact.disputed, fact.source_count


def _disputes(view: View, fact: Fact, numbers: dict[FactId, int]) -> list[tuple[Any, ...]]:
    return sorted((numbers.get(each.one), numbers.get(each.other), each.reason) for each in view.disputes_of(fact.id))


def draw(random: Random, number: int, has_levels: bool) -> Said:
    """Mostly newer than all before, of the owner; now and then late, ended, verified or from somebody else."""
    late = random.randrange(number + 1) if random.random() < 0.1 else 0
    at = Instant(START + (number - late) // 2 * 60_000_000)
    until = Time("2026-03-20", at - 12 * DAY, at - 11 * DAY) if random.random() < 0.08 else None
    since = Time("2026-03-01", at - 31 * DAY, at - 30 * DAY) if random.random() < 0.08 else None
    policy: Policy | None = random.choice(("accumulate", "dispute", "supersede")) if random.random() < 0.1 else None
    attributes = {"modality": "asked"} if random.random() < 0.05 else {}
    certainty = random.choice(CERTAINTIES[: 17 if has_levels else 15])
    trust = random.choice(LEVELS[: 16 if has_levels else 14])
    return Said(
        random.choice(WORDS[: 14 if random.random() < 0.1 else 13]),
        at,
        certainty,
        trust,
        since,
        until,
        policy,
        attributes,
    )


@pytest.mark.parametrize("label", ["ASSERTED", "AFFILIATED", "TRANSITIONED"])
@pytest.mark.parametrize("has_levels", [False, True])
@pytest.mark.parametrize(
    "seed", [0, pytest.param(1, marks=pytest.mark.large), pytest.param(2, marks=pytest.mark.large)]
)
def test_what_a_statement_cannot_reach_need_not_be_read(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, label: Label, has_levels: bool, seed: int
) -> None:
    random = Random(f"{label} {has_levels} {seed}")
    for number in range(60):
        said = draw(random, number, has_levels)
        with memory.write() as change:
            monkeypatch.setattr("recollect.write.record_statement.MANY_IN_SLOT", 1)
            near = say(change, "Ada", label, said)
            monkeypatch.setattr("recollect.write.record_statement.MANY_IN_SLOT", EVERY)
            whole = say(change, "Bea", label, said)
        with memory.read() as view:
            assert standing(view, near) == standing(view, whole), said


@pytest.mark.parametrize("label", ["AFFILIATED", "TRANSITIONED"])
def test_a_write_into_a_long_slot_reads_few_facts(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, label: Label
) -> None:
    with memory.write() as change:
        for number in range(80):
            say(change, "Ada", label, plain(f"stop {number}", number))
    read: list[int] = []
    claiming, reaching = CachedView.facts_claiming, CachedView.facts_reached

    def counted(found: tuple[Fact, ...]) -> tuple[Fact, ...]:
        read.append(len(found))
        return found

    monkeypatch.setattr(CachedView, "facts_claiming", lambda *given: counted(claiming(*given)))
    monkeypatch.setattr(CachedView, "facts_reached", lambda *given: counted(reaching(*given)))
    with memory.write() as change:
        slot = say(change, "Ada", label, plain("home", 90))
        say(change, "Ada", label, plain("home", 91))
    assert max(read) == 32
    with memory.read() as view:
        assert len(view.facts_in_slot(slot)) == (81 if label == "AFFILIATED" else 82)


def plain(words: str, number: int) -> Said:
    return Said(words, Instant(START + number * 60_000_000), "stated", "owner", None, None, None, {})

"""What a workspace ends up believing does not depend on the order in which sources arrived."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import START
from tests.support.facts import facts_of, tell
from tests.support.properties import examples

from recollect.memory import Memory, create_workspace
from recollect.model.ids import IdMaker
from recollect.settings import Settings
from recollect.store.address import engine_for
from recollect.store.port import Engine
from recollect.when.clock import clock_from

LABELS = {"AFFILIATED": "employee", "ASSERTED": "opinion", "TRANSITIONED": "stage_change"}
WORDS = ("Ada is an engineer at Acme", "Ada leads research at Acme", "ada leads research at acme.")

Said = dict[str, Any]


@dataclass
class Fresh:
    """New workspaces of one store, one after the other."""

    engine: Engine
    numbers: Iterator[int]

    def memory(self) -> Memory:
        clock = clock_from(START)
        workspace = create_workspace(self.engine, f"w{next(self.numbers)}", clock)
        return Memory(self.engine, workspace, clock, Settings(), IdMaker(clock, Random(1)))


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fresh]:
    engine = engine_for(str(tmp_path_factory.mktemp("arrival") / "memory.db"))
    yield Fresh(engine, itertools.count(1))
    engine.close()


def believed(memory: Memory, arrivals: Sequence[Said]) -> list[tuple[Any, ...]]:
    """What stands, what is stale and why, and what each fact rests on, once all have arrived."""
    for each in arrivals:
        tell(memory, each["fact"], id=each["id"], source_at=each["source_at"])
    found = facts_of(memory, "Ada", every=True)
    text: dict[str, str] = {seen.fact.id: seen.text.casefold().rstrip(".") for seen in found}
    return sorted(
        (
            (
                text[seen.fact.id],
                seen.fact.source_at,
                seen.fact.certainty,
                seen.fact.confidence,
                seen.fact.source_kind,
                # Whether it was replaced before it was retracted is nobody's question.
                not seen.fact.is_retracted and (seen.fact.stale, text.get(seen.fact.replaced_by or "")),
                seen.fact.source_count,
                seen.source_key,
                sorted(seen.fact.attributes.items()),
            )
            for seen in found
        ),
        key=repr,
    )


@st.composite
def told(draw: st.DrawFn) -> list[Said]:
    """Records of different days that each give one worded fact of the same slot."""
    label = draw(st.sampled_from(tuple(LABELS)))
    days = draw(st.lists(st.integers(1, 28), min_size=2, max_size=5, unique=True))
    return [
        {
            "id": f"r{day}",
            "source_at": f"2026-01-{day:02}T00:00:00Z",
            "fact": {
                "from": "Ada",
                "to": "Acme",
                "edge_label": label,
                "fact_type": LABELS[label],
                "fact": draw(st.sampled_from(WORDS)),
                "confidence": draw(st.sampled_from(("stated", "stated", "inferred", "verified", "retracted", 0.8))),
                "attributes": draw(st.sampled_from(({}, {"role": day}, {"weight": day}))),
            },
        }
        for day in days
    ]


@settings(max_examples=examples(40))
@given(said=told(), data=st.data())
def test_sources_that_arrive_in_any_order_leave_the_same_beliefs(
    fresh: Fresh, said: list[Said], data: st.DataObject
) -> None:
    in_order = sorted(said, key=lambda each: each["source_at"])
    assert believed(fresh.memory(), data.draw(st.permutations(said))) == believed(fresh.memory(), in_order)


CLAIMS = {
    "one owner, lent for a while": [
        ("Mira", "possesses", "Knife", "1850", "1860"),
        ("Tobin", "possesses", "Knife", "1850", "1865"),
        ("Mira", "possesses", "Knife", "1870", "1880"),
    ],
    "two birthplaces": [
        ("Mira", "born", "Harrow", "1850", None),
        ("Mira", "born", "Weir", "1850", None),
        ("Mira", "born", "Harrow", "1855", None),
    ],
    "bounds that exclude each other": [
        ("Mira", "rules", "Harrow", "1850", "1871"),
        ("Mira", "rules", "Harrow", "1855", "1871"),
        ("Mira", "rules", "Harrow", "1880", "1890"),
    ],
}


@pytest.mark.parametrize("claims", CLAIMS.values(), ids=list(CLAIMS))
def test_claims_that_arrive_in_any_order_are_disputed_alike(fresh: Fresh, claims: list[tuple[str, ...]]) -> None:
    found = [_disputed(fresh.memory(), order) for order in itertools.permutations(claims)]
    assert found == [found[-1]] * len(found)
    assert found[-1]


def _disputed(memory: Memory, claims: Sequence[tuple[str, ...]]) -> set[frozenset[tuple[str, ...]]]:
    """The pairs of claims that are listed as a contradiction; each of their facts is marked as well."""
    for who, relation, whom, since, until in claims:
        stated = {"from": who, "predicate": relation, "to": whom, "valid_from": since, "valid_until": until}
        tell(memory, stated, id=f"{who} {whom} {since}")
    with memory.read() as view:
        pairs = view.disputes()
        seen = {
            each.fact.id: each for each in view.fact_rows({id_ for pair in pairs for id_ in (pair.one, pair.other)})
        }
        marked = {
            row.fact.id for name in ("Mira", "Tobin") for row in facts_of(memory, name, every=True) if row.fact.disputed
        }
    assert marked == set(seen)
    told_as = {id_: (each.subject_name, str(each.object_name), str(each.fact.valid_from)) for id_, each in seen.items()}
    return {frozenset((told_as[pair.one], told_as[pair.other])) for pair in pairs}

"""Search and the palette: why an entity was found, and a section of its own for memories."""

from collections.abc import Iterator

import pytest

from recollect.surfaces.entity_core.memory_writing import memory_create
from tests.serve.web.sites import Site, running_site


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """An app that knows a person with an alias and one day, for tests that only look."""
    with running_site(str(tmp_path_factory.mktemp("told") / "memory.db")) as site:
        made = site.tool("remember", text="Margarethe Lindqvist lives in Porto. Herons nest by the harbour.")
        [person] = [each["id"] for each in made["entities"] if each["name"].startswith("Margarethe")]
        site.post(f"entity/{person}/aliases", alias="Gretel")
        memory = site.memory().as_actor("entity-core", "memory_create")
        memory_create(memory, granularity="daily", date="2026-03-04", content="- saw herons", instanceId="phone")
        yield site


@pytest.mark.parametrize(
    ("text", "why"),
    [("Margarethe Lindqvist", "name"), ("Marg", "name"), ("Gretel", "alias"), ("Lindqvst", "spelling")],
)
def test_an_entity_says_by_what_it_was_found(told: Site, text: str, why: str) -> None:
    found = told.json(f"search?q={text}")["entities"]
    assert [(each["name"], each["why"]) for each in found] == [("Margarethe Lindqvist", [why])]
    assert f'<span class="why">{why}</span>' in told.get(f"search?q={text}").text


@pytest.mark.parametrize("letters", ["mrgrthe", "mrgreth lindq", "ldqvst"])
def test_the_palette_finds_a_name_by_its_letters_in_order(told: Site, letters: str) -> None:
    assert [each["name"] for each in told.json(f"palette?q={letters}")["entities"]] == ["Margarethe Lindqvist"]


def test_the_palette_needs_every_letter_in_order(told: Site) -> None:
    assert told.json("palette?q=ehtrgrm")["entities"] == []


def test_memories_have_a_section_with_its_count(told: Site) -> None:
    page = told.json("search?q=herons")
    assert page["counts"] == {"entities": 0, "facts": 0, "passages": 1, "memories": 1}
    assert [each["kind"] for each in (*page["passages"], *page["memories"])] == ["note", "memory"]
    assert 'id="found-memories">Memories <small>1</small>' in told.get("search?q=herons").text
    assert told.json("search?q=herons&kind=memories")["counts"]["passages"] == 0


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """An app that knows thirty people of one word in their names, and as many notes about that word."""
    with running_site(str(tmp_path_factory.mktemp("crowd") / "memory.db")) as site:
        people = [{"subject": f"Person {number}", "predicate": "knows", "object": "Hub"} for number in range(30)]
        site.tool("remember", facts=people)
        for number in range(30):
            site.tool("remember", text=f"Person of the day, number {number}: nothing to see.")
        yield site


def test_entities_beyond_the_first_are_counted_and_one_link_away(crowd: Site) -> None:
    page = crowd.json("search?q=Person")
    assert (len(page["entities"]), page["counts"]["entities"]) == (8, 30)
    assert "kind=entities" in crowd.get("search?q=Person").text
    first = crowd.json("search?q=Person&kind=entities")
    assert (len(first["entities"]), first["more"]) == (20, 60)
    assert len(crowd.json("search?q=Person&kind=entities&limit=60")["entities"]) == 30


def test_every_section_with_hits_has_places(crowd: Site) -> None:
    facts = crowd.json("search?q=Person&kind=facts")["counts"]["facts"]
    page = crowd.json("search?q=Person")
    assert page["counts"]["facts"] == facts > 0
    assert len(page["facts"]) >= 3
    assert len(page["passages"]) >= 5
    assert "kind=facts" in crowd.get("search?q=Person").text

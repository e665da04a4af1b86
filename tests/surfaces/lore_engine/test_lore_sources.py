"""Looking into the sources: by meaning, about an entity, and behind a claim."""

from dataclasses import replace
from typing import Any

import pytest

from recollect.memory import Memory, WorkspaceCache
from tests.support.hash_embedder import HashEmbedder
from tests.surfaces.lore_engine.npc_world import Tides, year

ROLLS = "The Saltguard swore to House Orrin at the harbour.\n\nThe mole gave way in the night and the sea came in."


@pytest.fixture(params=["hash", None])
def embedded(request: pytest.FixtureRequest) -> str | None:
    return str(request.param) if request.param else None


@pytest.fixture
def world(memory: Memory, embedded: str | None) -> Tides:
    kept = WorkspaceCache([HashEmbedder(256) if embedded else None])
    world = Tides(replace(memory, cache=kept)).begin()
    for name in ("House Orrin", "Saltguard", "Halden"):
        world.entity(name)
    world.alias("Saltguard", "the Guard")
    return world


def result(world: Tides, tool: str, **arguments: Any) -> list[dict[str, Any]]:
    answer = world.answer(tool, **arguments)
    assert not answer.is_error, answer.structured
    found: list[dict[str, Any]] = answer.structured["result"]
    return found


def test_passages_are_found_with_what_is_known_of_their_documents(world: Tides, embedded: str | None) -> None:
    world.book("harbour-rolls", ROLLS, world_time=year(50))
    world.book("recipes", "Take two eels and a lemon.")
    [first, *_] = result(world, "semantic_search", query="the mole gave way in the night")
    assert (first["title"], first["source_type"], first["world_time"]) == ("harbour-rolls", "prose", year(50))
    assert first["reliability"] == "canonical"
    assert first["method"] == ("vector" if embedded else "text")
    assert 0 < first["score"] <= 1
    assert {each["name"] for each in first["entities"]} == {"Saltguard", "House Orrin"}
    assert first["text"].startswith("The Saltguard swore")


def test_filters_act_before_ranking(world: Tides) -> None:
    for number in range(30):
        world.book(f"tide {number}", "the mole the mole the mole gave way in the night")
    world.book("orders", "The Guard shall hold the mole.")
    found = result(world, "semantic_search", query="mole in the night", entity="Saltguard", limit=5)
    assert [each["title"] for each in found] == ["orders"]
    assert result(world, "semantic_search", query="mole", type="gazetteer") == []
    answer = world.answer("semantic_search", query="mole", limit=3)
    assert (len(answer.structured["result"]), answer.meta["truncated"]) == (3, True)


def test_documents_are_found_by_their_type_however_it_is_written(world: Tides) -> None:
    answer = world.answer("add_lore_source", title="carols", source_type="Song Book", content="Sing of the Saltguard.")
    assert answer.structured["source_type"] == "song_book"
    for written in ("Song Book", "song_book", "SONG BOOK"):
        for asked in ({"tool": "semantic_search", "query": "sing"}, {"tool": "lore_about", "entity": "Saltguard"}):
            assert [each["title"] for each in result(world, **asked, type=written)] == ["carols"]


def test_a_score_too_low_is_left_out_and_an_unknown_entity_is_an_error(world: Tides) -> None:
    world.book("harbour-rolls", ROLLS)
    everything = result(world, "semantic_search", query="mole and eels")
    best = everything[0]["score"]
    assert result(world, "semantic_search", query="mole and eels", min_score=best) == everything[:1]
    answer = world.answer("semantic_search", query="mole", entity="Nobody At All")
    assert answer.structured["error"] == "ENTITY_NOT_FOUND"


def test_a_document_is_about_what_it_names_and_what_its_relations_are_of(world: Tides) -> None:
    world.book("harbour-rolls", ROLLS + "\n\nTHE GUARD slept; blackguards did not.")
    world.book("Saltguard orders", "The Saltguard holds the Saltguard gate.")
    ledger = world.book("ledger", "Nothing to see.")
    world.fact("Saltguard", "CONTROLS", "Halden", document=ledger)
    found = result(world, "lore_about", entity="Saltguard")
    assert [(each["title"], each["relevance"]) for each in found] == [
        ("Saltguard orders", 0.625),
        ("harbour-rolls", 0.4),
        ("ledger", 0.25),
    ]
    assert [[chunk["mentions"] for chunk in each["chunks"]] for each in found] == [[2], [2], []]
    assert found[0]["visibility"] == "private"
    assert result(world, "lore_about", entity="Saltguard", type="gazetteer") == []
    assert len(result(world, "lore_about", entity="Saltguard", limit=1)) == 1


def test_a_claim_that_holds_is_supported_and_one_at_another_time_contradicted(
    world: Tides, embedded: str | None
) -> None:
    rolls = world.book("harbour-rolls", ROLLS)
    fact = world.fact(
        "House Orrin",
        "ALLIED_WITH",
        "Saltguard",
        since=year(30),
        until=year(50),
        document=rolls,
        quote="The Saltguard swore to House Orrin",
    )
    claim = "House Orrin and Saltguard were allied in {}"
    [first, *_] = result(world, "cite", claim=claim.format(year(60)))
    assert (first["support"], first["relation_ids"]) == ("contradicts", [f"fact_{fact}"])
    assert (first["title"], first["quote"]) == ("harbour-rolls", "The Saltguard swore to House Orrin")
    assert first["text"].startswith("The Saltguard swore")
    assert (first["similarity"] is None) == (embedded is None)
    [first, *_] = result(world, "cite", claim=claim.format(year(40)))
    assert first["support"] == "supports"
    [first, *_] = result(world, "cite", claim="the Guard was allied to House Orrin")
    assert first["support"] == "supports"


def test_enemies_contradict_an_alliance(world: Tides) -> None:
    world.fact("House Orrin", "AT_WAR_WITH", "Saltguard", since=year(50))
    [first] = result(world, "cite", claim=f"House Orrin was allied with Saltguard in {year(55)}")
    assert first["support"] == "contradicts"
    assert (first["document_id"], first["chunk_id"]) == (None, None)
    assert first["title"] == "tool:lore-engine.add_relation by local"
    assert first["text"] == "House Orrin at war with Saltguard"
    assert result(world, "cite", claim=f"House Orrin was allied with Saltguard in {year(45)}") == []


STORED = [
    ("Mira", "PARENT_OF", "Sela"),
    ("Mira", "SERVES", "Lord Tam"),
    ("Mira", "RULES", "Farhold"),
    ("Mira", "MEMBER_OF", "Rope Guild"),
    ("Ring", "INHERITED_BY", "Sela"),
    ("Mira", "SPOUSE_OF", "Kit"),
]


@pytest.mark.parametrize(
    "claim",
    [
        "Mira was the mother of Sela",
        "Sela was the daughter of Mira",
        "Mira's daughter Sela",
        "Sela, whose mother was Mira",
        "Sela's mother Mira",
        "Mira served Lord Tam",
        "Lord Tam was served by Mira",
        "Did Mira serve Lord Tam?",
        "Farhold was ruled by Mira",
        "Farhold's ruler Mira",
        "Farhold ruler Mira",
        "Mira's rule of Farhold",
        "Mira was a member of the Rope Guild",
        "the Rope Guild had a member Mira",
        "Sela inherited Ring",
        "Ring was inherited by Sela",
        "Kit was the husband of Mira",
        "Mira and Lord Tam",
    ],
)
def test_a_claim_in_the_stored_direction_is_supported(world: Tides, claim: str) -> None:
    for subject, relation, object_ in STORED:
        world.fact(subject, relation, object_)
    assert result(world, "cite", claim=claim)[0]["support"] == "supports"


@pytest.mark.parametrize(
    "claim",
    [
        "Sela was the mother of Mira",
        "Mira was the daughter of Sela",
        "Sela's daughter Mira",
        "Mira was not the mother of Sela",
        "Mira wasn't the mother of Sela",
        "Mira never served Lord Tam",
        "Lord Tam served Mira",
        "Mira was served by Lord Tam",
        "Farhold ruled Mira",
        "Mira was ruled by Farhold",
        "Ring inherited Sela",
    ],
)
def test_a_claim_turned_round_or_denied_is_at_most_related(world: Tides, claim: str) -> None:
    for subject, relation, object_ in STORED:
        world.fact(subject, relation, object_)
    assert {each["support"] for each in result(world, "cite", claim=claim)} <= {"related"}


@pytest.mark.parametrize(("one", "other"), [("Ann", "Bo"), ("Bo", "Al"), ("Li", "Wei Chen"), ("王", "李明")])
def test_a_claim_names_people_of_one_or_two_letters(world: Tides, one: str, other: str) -> None:
    world.fact(one, "SERVES", other, since=year(5))
    assert result(world, "cite", claim=f"{one} served {other}")[0]["support"] == "supports"
    assert result(world, "cite", claim=f"{one} served {other} in {year(4)}")[0]["support"] == "contradicts"


def test_a_relation_that_the_claim_does_not_name_is_not_cited(world: Tides) -> None:
    world.fact("House Orrin", "RULES", "Halden")
    assert result(world, "cite", claim="House Orrin founded Halden") == []
    assert [each["support"] for each in result(world, "cite", claim="House Orrin and Halden")] == ["supports"]


def test_near_passages_are_related_and_nothing_found_is_an_empty_list(world: Tides, embedded: str | None) -> None:
    world.book("harbour-rolls", "The mole gave way in the night.")
    found = result(world, "cite", claim="The mole gave way at night")
    assert [each["support"] for each in found] == (["related"] if embedded else [])
    assert result(world, "cite", claim="Xyzzy plugh") == []


SENTENCES = [
    f"In year {n} the {w} of Calder paid {n * 7} marks to the {w} guild."
    for n in range(1, 31)
    for w in ("dyers", "coopers")
]


@pytest.mark.parametrize("at", [0, 1, 17, 30, 44, 59])
def test_a_sentence_inside_a_long_passage_is_cited_with_its_source(world: Tides, at: int) -> None:
    world.book("ledger", " ".join(SENTENCES))
    world.book("copy", " ".join(SENTENCES[: at // 2]) or "Nothing.")
    found = result(world, "cite", claim=SENTENCES[at])
    assert (found[0]["title"], found[0]["quote"]) == ("ledger", SENTENCES[at])


def test_a_sentence_across_the_boundary_of_two_passages_is_cited(world: Tides) -> None:
    sentence = (
        "The "
        + " ".join(f"{word}ing tide" for word in "swell ebb turn rush call sing break mend".split())
        + " came in."
    )
    lines = [f"Line {n} tells of eels." for n in range(150)]
    for shift in range(0, 60, 5):
        world.book(
            f"book {shift}", " ".join([*lines[: 30 + shift], sentence.replace("tide", f"tide{shift}"), *lines[60:]])
        )
    for shift in range(0, 60, 5):
        wanted = sentence.replace("tide", f"tide{shift}")
        [first, *_] = result(world, "cite", claim=wanted)
        assert (first["title"], first["quote"]) == (f"book {shift}", wanted)


def test_white_space_quotes_dashes_and_case_of_a_cited_sentence_do_not_matter(world: Tides) -> None:
    world.book("bells", "It hung there. The second — called “Old Throat” —\ncracked. Then it was sold.")
    [first, *_] = result(world, "cite", claim='the second - called "old throat" - cracked')
    assert (first["title"], first["quote"]) == ("bells", "The second — called “Old Throat” —\ncracked.")

"""Searching memories: the formula, its parts, its filters, with and without vectors."""

from dataclasses import replace
from math import log
from typing import Any

import pytest

from recollect.keep.memory_index import indexed_scorer as searching
from recollect.memory import WorkspaceCache
from tests.support.facts import fact, tell
from tests.support.hash_embedder import HashEmbedder
from tests.surfaces.entity_core.asking import Entity

DIMENSIONS = 64


@pytest.fixture
def seeing(entity: Entity) -> Entity:
    """An entity whose vectors are made of words."""
    entity.memory = replace(entity.memory, cache=WorkspaceCache([HashEmbedder(DIMENSIONS)]))
    return entity


@pytest.fixture
def blind(entity: Entity) -> Entity:
    """An entity without an embedder."""
    entity.memory = replace(entity.memory, cache=WorkspaceCache([None]))
    return entity


def day(entity: Entity, date: str, content: str, instance: str = "psy-desk", **more: Any) -> None:
    entity.ok("memory_create", granularity="daily", date=date, content=content, instanceId=instance, **more)


def search(entity: Entity, query: str, instance: str = "psy-desk", **more: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = entity.ok("memory_search", query=query, instanceId=instance, **more)["results"]
    return found


def dates(entity: Entity, query: str, **more: Any) -> list[str]:
    return [hit["date"] for hit in search(entity, query, **more)]


def by_formula(signals: dict[str, float]) -> float:
    v, k, g, t = (signals[name] for name in ("vector", "keyword", "graph", "time"))
    relevance = 1 - (1 - v) * (1 - 0.8 * k) * (1 - 0.4 * g) * (1 - 0.5 * t) * (1 - signals.get("context", 0.0))
    return relevance * (0.85 + 0.05 * signals["recency"] + 0.10 * signals["instance"])


def test_each_score_follows_from_its_signals(seeing: Entity) -> None:
    day(seeing, "2026-05-12", "- Noor fired the first kiln load")
    day(seeing, "2026-02-03", "- kiln repaired", "st-attic", participatingInstances=["st-attic", "psy-desk"])
    day(seeing, "2025-02-03", "- a walk by the river", "st-attic")
    hits = search(seeing, "kiln load", minScore=0)
    assert [hit["date"] for hit in hits][:2] == ["2026-05-12", "2026-02-03"]
    for hit in hits:
        assert hit["score"] == pytest.approx(by_formula(hit["signals"]), abs=0.002)
        assert hit["vectorScore"] == hit["signals"]["vector"]
    assert [hit["signals"]["instance"] for hit in hits[:2]] == [1.0, 0.5]
    assert [hit["ageDays"] for hit in hits[:2]] == [2, 100]
    assert hits[1]["signals"]["recency"] == 0.5


def test_a_hit_shows_all_that_was_asked_for(blind: Entity) -> None:
    day(blind, "2026-05-12", "# Day\n\n- Noor fired the first kiln load")
    said = blind.ok("memory_search", query="kiln load", instanceId="psy-desk")
    assert said == {
        "results": [
            {
                "id": "daily-2026-05-12_psy-desk",
                "granularity": "daily",
                "tier": "daily",
                "date": "2026-05-12",
                "title": "Day",
                "sourceInstance": "psy-desk",
                "score": 0.799,
                "ageDays": 2,
                "vectorScore": 0.0,
                "method": "text",
                "excerpt": "# Day\n\n- Noor fired the first kiln load",
                "signals": {
                    "vector": 0.0,
                    "keyword": 1.0,
                    "recency": 0.986,
                    "graph": 0.0,
                    "instance": 1.0,
                    "time": 0.0,
                },
            }
        ],
        "searchMethod": "text",
        "vectorAvailable": False,
    }


def test_words_count_by_their_rarity(blind: Entity) -> None:
    for number in range(1, 10):
        day(blind, f"2026-04-0{number}", "- the garden" + (" and the kiln" if number == 5 else ""))
    [best, *_] = search(blind, "garden kiln bees", minScore=0)
    garden, kiln, bees = log(1 + 9 / 9), log(1 + 9 / 1), log(1 + 9 / 1)
    assert best["date"] == "2026-04-05"
    assert best["signals"]["keyword"] == round((garden + kiln) / (garden + kiln + bees), 3)


def test_a_word_is_found_by_its_beginning_from_four_letters_on(blind: Entity) -> None:
    day(blind, "2026-05-01", "- pottery and cafés")
    assert dates(blind, "pott") == ["2026-05-01"]
    assert dates(blind, "CAFE") == ["2026-05-01"]
    assert dates(blind, "pot") == []
    assert dates(blind, "ottery") == []


@pytest.mark.parametrize("as_of", [None, 5])
def test_any_script_is_found_by_its_words(blind: Entity, as_of: int | None) -> None:
    day(blind, "2026-05-01", "- Обжиг печи")
    day(blind, "2026-05-02", "- κεραμική τέχνη")
    day(blind, "2026-05-03", "- 今日は窯を開けた")
    day(blind, "2026-05-04", "- أطلقنا الفرن اليوم")
    day(blind, "2026-05-05", "- cafe")
    asked = {"обжиг": 1, "ΚΕΡΑΜΙΚΗ": 2, "窯を": 3, "الفرن": 4, "Café": 5}
    found = {query: dates(blind, query, as_of=as_of) for query in asked}
    assert found == {query: [f"2026-05-0{number}"] for query, number in asked.items()}


def test_only_stop_words_and_nothing_alike_find_nothing(blind: Entity) -> None:
    day(blind, "2026-05-01", "- the and of")
    assert dates(blind, "the and of", minScore=0) == []
    assert dates(blind, "kiln", minScore=0) == []


def test_least_score_counts_before_rounding_and_results_are_bounded(seeing: Entity) -> None:
    for number in range(1, 20):
        day(seeing, f"2026-04-{number:02}", f"- kiln number {number}")
    hits = search(seeing, "kiln", minScore=0, maxResults=50)
    assert len(hits) == 19
    assert len(search(seeing, "kiln", maxResults=3)) == 3
    for least in (0.5, hits[4]["score"], 0.999):
        assert all(hit["score"] >= least - 0.0005 for hit in search(seeing, "kiln", minScore=least, maxResults=50))
    assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)


@pytest.mark.parametrize("as_of", [None, 4])
def test_times_in_a_query_speak_for_the_memories_of_then(blind: Entity, as_of: int | None) -> None:
    day(blind, "2026-05-05", "- kiln")
    day(blind, "2026-05-13", "- kiln")
    blind.ok("memory_create", granularity="weekly", date="2026-W18", content="- kiln", instanceId="psy-desk")
    day(blind, "2025-02-14", "- kiln")

    def timed(query: str) -> list[str]:
        hits = search(blind, query, minScore=0, as_of=as_of)
        return sorted(hit["date"] for hit in hits if hit["signals"]["time"] == 1.0)

    assert timed("kiln yesterday") == ["2026-05-13"]
    assert timed("what happened last week") == ["2026-05-05"]
    assert timed("kiln on 2026-05-03") == ["2026-W18"]
    assert timed("14 February 2025") == ["2025-02-14"]
    assert timed("Feb 14, 2025") == ["2025-02-14"]
    assert timed("February 2025") == ["2025-02-14"]
    assert timed("2026-W19") == ["2026-05-05"]
    assert timed("my 2025 kiln") == ["2025-02-14"]
    assert timed("9 days ago") == ["2026-05-05"]
    assert timed("this year") == ["2026-05-05", "2026-05-13", "2026-W18"]
    assert timed("last Tuesday") == []
    assert timed("kiln") == []
    assert search(blind, "kiln yesterday")[0]["signals"]["keyword"] == 1.0


@pytest.mark.parametrize("as_of", [False, True])
def test_entities_in_a_query_speak_for_memories_that_name_them(blind: Entity, as_of: bool) -> None:
    tell(
        blind.memory,
        fact("Ilse Brandt", "friend_of", {"name": "Noor", "type": "person"}),
        entities=[
            {"name": "Ilse Brandt", "type": "person", "aliases": ["Ilsebill"]},
            {"name": "Noor", "type": "person"},
            {"name": "Wren", "type": "self"},
        ],
    )
    day(blind, "2026-05-01", "- Ilsebill came for tea")
    day(blind, "2026-05-02", "- Noor’s kiln")
    day(blind, "2026-05-03", "- somebody else, ilsebrandt")
    day(blind, "2026-05-04", "- Wren")
    then = blind.tx if as_of else None

    def graph(query: str) -> dict[str, float]:
        hits = search(blind, query, minScore=0, maxResults=50, as_of=then)
        return {hit["date"]: hit["signals"]["graph"] for hit in hits if hit["signals"]["graph"]}

    assert graph("what does ILSE BRANDT like") == {"2026-05-01": 1.0, "2026-05-02": 0.5}
    assert graph("Ilse Brandt and Noor") == {"2026-05-01": 0.75, "2026-05-02": 0.75}
    assert graph("Wren") == {}


def test_a_memory_speaks_for_an_entity_by_its_facts(blind: Entity) -> None:
    from recollect.model.fact import Source, Statement
    from recollect.write.entity_refs import NamedRef, find_or_create
    from recollect.write.predicates import claim
    from recollect.write.record_statement import record_statement

    day(blind, "2026-05-01", "- she came for tea")
    with blind.memory.write() as change:
        ilse = find_or_create(change, NamedRef("Ilse", "person")).entity
        noor = find_or_create(change, NamedRef("Noor", "person")).entity
        document = change.document_named("memory", "daily-2026-05-01_psy-desk")
        assert document is not None
        meant = claim(change, ilse.id, noor.id, None, predicate="friend_of", label=None, fact_type=None)
        source = Source(document.id, document.key, None, None, "she came for tea")
        record_statement(change, Statement(meant, change.now, "stated", "extracted", 0.9, source=source))
    [hit] = search(blind, "Ilse", minScore=0)
    assert (hit["date"], hit["signals"]["graph"]) == ("2026-05-01", 1.0)
    blind.ok("memory_update", id="daily-2026-05-01_psy-desk", content="- nobody came for tea today")
    assert search(blind, "Ilse", minScore=0) == []


def test_a_name_learned_later_is_linked_to_older_memories(blind: Entity) -> None:
    day(blind, "2026-05-01", "- tea with Mette Holm")
    tell(blind.memory, entities=[{"name": "Mette Holm", "type": "person"}])
    before = blind.tx
    [hit] = search(blind, "Mette Holm")
    assert (hit["signals"]["graph"], blind.tx) == (1.0, before)


def test_a_name_that_two_share_is_plain_words(blind: Entity) -> None:
    for kind in ("person", "organization"):
        tell(blind.memory, entities=[{"name": "Alex", "type": kind}])
    day(blind, "2026-05-01", "- tea with Alex")
    [hit] = search(blind, "Alex")
    assert hit["signals"]["graph"] == 0.0


@pytest.mark.parametrize("as_of", [None, 4])
def test_filters_act_before_ranking(seeing: Entity, as_of: int | None) -> None:
    day(seeing, "2026-05-01", "- kiln kiln kiln")
    day(seeing, "2026-04-01", "- kiln in april", "st-attic")
    seeing.ok("memory_create", granularity="weekly", date="2026-W14", content="- kiln week", instanceId="a")
    seeing.ok("memory_create", granularity="significant", date="2026-03-01", content="# kiln", instanceId="a")

    def found(**more: Any) -> list[str]:
        return sorted(hit["date"] for hit in search(seeing, "kiln", maxResults=2, as_of=as_of, **more))

    assert found(sourceInstance="st-attic") == ["2026-04-01"]
    assert found(granularity="weekly") == ["2026-W14"]
    assert found(granularity=["weekly", "significant"]) == ["2026-03-01", "2026-W14"]
    assert found(afterDate="2026-04-05", beforeDate="2026-04-30") == ["2026-W14"]
    assert found(beforeDate="2026-03-30") == ["2026-03-01", "2026-W14"]


def test_a_memory_without_a_vector_yet_is_found_by_its_words(seeing: Entity) -> None:
    day(seeing, "2026-05-01", "- kiln")
    seeing.may_write = False
    said = seeing.ok("memory_search", query="kiln", instanceId="a")
    assert (said["searchMethod"], said["vectorAvailable"]) == ("vector", True)
    assert [(hit["method"], hit["vectorScore"]) for hit in said["results"]] == [("text", 0.0)]
    seeing.may_write = True
    assert [hit["method"] for hit in search(seeing, "kiln")] == ["vector"]


def test_a_given_embedding_replaces_the_vector_of_the_query(seeing: Entity) -> None:
    day(seeing, "2026-05-01", "- kiln")
    vector = (HashEmbedder(DIMENSIONS).embed(["- kiln"])[0] * 7).tolist()
    [hit] = search(seeing, "garden", queryEmbedding=vector)
    assert (hit["vectorScore"], hit["signals"]["keyword"]) == (1.0, 0.0)
    for bad in ([1.0] * 3, [0.0] * DIMENSIONS, [float("nan")] * DIMENSIONS, ["1"] * DIMENSIONS, []):
        seeing.assert_fails("memory_search", "invalid_input", query="kiln", instanceId="a", queryEmbedding=bad)


@pytest.mark.parametrize(
    "more",
    [
        {"query": " "},
        {"query": "a\0"},
        {"minScore": 1.1},
        {"minScore": "0.3"},
        {"minScore": True},
        {"maxResults": 0},
        {"maxResults": 51},
        {"granularity": ["hourly"]},
        {"afterDate": "2026-05-02", "beforeDate": "2026-05-01"},
        {"instanceId": "../a"},
    ],
)
def test_bad_questions_are_refused(blind: Entity, more: dict[str, Any]) -> None:
    blind.assert_fails("memory_search", "invalid_input", **{"query": "kiln", "instanceId": "a"} | more)


def test_too_long_a_query_is_refused(blind: Entity) -> None:
    blind.assert_fails("memory_search", "too_large", query="x" * 2001, instanceId="a")


def test_long_texts_are_shown_by_title_and_best_passage(seeing: Entity) -> None:
    filler = "\n\n".join(f"The garden was quiet on walk {number}. " * 12 for number in range(20))
    text = f"# A long day\n\n{filler}\n\n- the kiln cracked\n\n{filler}"
    day(seeing, "2026-05-01", text)
    [hit] = search(seeing, "kiln cracked")
    assert hit["excerpt"].startswith("# A long day\n\n")
    assert "the kiln cracked" in hit["excerpt"]
    assert len(hit["excerpt"]) <= 2000
    seeing.ok("memory_create", granularity="significant", date="2026-05-01", content="kiln " * 3000, instanceId="a")
    [best] = search(seeing, "kiln", granularity="significant")
    assert (len(best["excerpt"]) <= 10_000, best["excerpt"][-1]) == (True, "…")
    assert best["excerpt"][:-1].endswith("kiln")


def test_the_bounded_search_ranks_as_reading_everything_does(seeing: Entity, monkeypatch: pytest.MonkeyPatch) -> None:
    words = "kiln glaze garden bees honey river tea walk snow fire".split()
    tell(seeing.memory, entities=[{"name": "River", "type": "place"}, {"name": "Honey", "type": "concept"}])
    for number in range(60):
        chosen = [words[(number * 7 + step * step) % 10] for step in range(1 + number % 4)]
        instance = ("psy-desk", "st-attic")[number % 2]
        day(seeing, f"2026-0{1 + number % 4}-{1 + number % 27:02}", f"- {' '.join(chosen)} {number}", instance)
    for query in ("kiln", "glaze river", "honey in march 2026", "bees tea snow", "nothing alike"):
        for least, most in ((0.0, 3), (0.3, 50), (0.5, 5)):
            asked: dict[str, Any] = {"minScore": least, "maxResults": most}
            whole = search(seeing, query, as_of=seeing.tx, **asked)
            assert search(seeing, query, **asked) == whole
            with monkeypatch.context() as patched:
                for name, value in {"SMALL_SET": 0, "FIRST_LOOK": 4, "BATCH_SIZE": 3, "SLICE_SIZE": 7}.items():
                    patched.setattr(searching, name, value)
                assert search(seeing, query, **asked) == whole


@pytest.mark.parametrize("letter", ["我", "猫", "狗", "東", "京", "た"])
@pytest.mark.parametrize("is_past", [False, True])
def test_one_letter_of_a_script_without_spaces_is_found_wherever_it_stands(
    blind: Entity, letter: str, is_past: bool
) -> None:
    day(blind, "2026-05-01", "- 我喜欢猫和狗\n- 東京に行った")
    day(blind, "2026-05-02", "- 山が好き")
    with blind.memory.read() as view:
        then = {"as_of": view.last_tx} if is_past else {}
    day(blind, "2026-05-03", "- nothing of it")
    assert dates(blind, letter, **then) == ["2026-05-01"]


def test_a_memory_is_chosen_by_stems_and_authors_and_ordered_by_its_score(seeing: Entity) -> None:
    day(seeing, "2026-05-01", "- Mara came", "ole")
    day(seeing, "2026-05-02", "- Mara went", "ole")
    day(seeing, "2026-05-03", "- a sad story of some whale at sea", "Mara")
    hits = search(seeing, "Mara's stories about the sea", "nobody", maxResults=2, minScore=0)
    assert "2026-05-03" in [hit["date"] for hit in hits]
    assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)


def say(entity: Entity, slug: str, content: str, instance: str) -> None:
    """A turn of a talk as a memory of its own."""
    asked = {"granularity": "significant", "date": "2026-05-01", "slug": slug, "instanceId": instance}
    entity.ok("memory_create", content=content, **asked)


def test_a_memory_is_found_by_what_was_said_right_before_it(seeing: Entity) -> None:
    say(seeing, "asks", "When does the kiln open?", "Mara")
    say(seeing, "answers", "Thursday at noon.", "Ole")
    hits = search(seeing, "when does the kiln open", "nobody")
    assert [hit["slug"] for hit in hits] == ["asks", "answers"]
    for hit in hits:
        assert hit["score"] == pytest.approx(by_formula(hit["signals"]), abs=0.002)
    assert hits[1]["signals"]["context"] > 0
    assert "context" not in hits[0]["signals"]


def test_memories_of_whole_days_are_no_turns_of_a_talk(seeing: Entity) -> None:
    day(seeing, "2026-05-01", "When does the kiln open?", "Mara")
    day(seeing, "2026-05-01", "Thursday at noon.", "Ole")
    assert [hit["sourceInstance"] for hit in search(seeing, "when does the kiln open", "nobody")] == ["Mara"]


def test_neighbours_alone_make_no_answer(seeing: Entity) -> None:
    say(seeing, "asks", "When does the kiln open?", "Mara")
    say(seeing, "answers", "Is the kiln not open now?", "Ole")
    best = search(seeing, "kiln glaze opening hours", "nobody", minScore=0)[0]
    alone = by_formula({**best["signals"], "context": 0.0})
    assert alone < best["score"]
    assert search(seeing, "kiln glaze opening hours", "nobody", minScore=alone + 0.001) == []


def test_the_name_of_the_writer_is_no_part_of_the_query_vector(seeing: Entity) -> None:
    day(seeing, "2026-05-03", "- quince trees", "Mara")
    [hit] = search(seeing, "Mara quince trees", "nobody", minScore=0)
    assert hit["vectorScore"] == search(seeing, "quince trees", "nobody", minScore=0)[0]["vectorScore"]


@pytest.mark.parametrize("as_of", [None, 3])
def test_a_period_with_an_open_end_speaks_for_every_memory_in_it(blind: Entity, as_of: int | None) -> None:
    day(blind, "2026-01-05", "- kiln")
    day(blind, "2026-04-13", "- kiln")
    day(blind, "2025-04-13", "- kiln")

    def timed(query: str) -> list[str]:
        hits = search(blind, query, minScore=0, as_of=as_of)
        return sorted(hit["date"] for hit in hits if hit["signals"]["time"] == 1.0)

    assert timed("kiln since March 2026") == ["2026-04-13"]
    assert timed("kiln before 2026") == ["2025-04-13"]

"""`carabase_search_semantic`: cosine alone makes the order, filters act first, what is new is found at once."""

from dataclasses import replace

import pytest
from tests.surfaces.carabase.asking import ask, empty, found, note, same, tell

from recollect.memory import Memory, WorkspaceCache

TOOL = "carabase_search_semantic"


def titles(memory: Memory, **arguments: object) -> list[str]:
    return [each["title"] for each in found(memory, TOOL, **arguments)["results"]]


def test_the_order_is_the_cosine_and_bodies_stay_out(orchard: Memory) -> None:
    told = found(orchard, TOOL, query="late frost blossom", k=3)
    scores = [each["score"] for each in told["results"]]
    assert (told["method"], told["count"], told["k"]) == ("vector", 3, 3)
    assert told["results"][0]["title"] == "Frost log"
    assert scores == sorted(scores, reverse=True)
    assert all(-1 <= score <= 1 for score in scores)
    assert not {"body", "content", "text"} & told["results"][0].keys()


def test_an_artifact_tells_where_it_comes_from(orchard: Memory) -> None:
    [hit] = found(orchard, TOOL, query="late frost blossom", k=1)["results"]
    assert hit["uri"] == f"carabase://artifact/{hit['artifact_id']}"
    shown = {key: hit[key] for key in ("kind", "source", "date", "folio", "tags", "tier", "source_kind", "confidence")}
    assert shown == {
        "kind": "record",
        "source": "note:n-17",
        "date": "2026-02-03",
        "folio": None,
        "tags": [],
        "tier": 0,
        "source_kind": "extracted",
        "confidence": 0.9,
    }
    origin = hit["provenance"]
    assert (origin["record_id"], origin["record_type"], origin["surface"], origin["tool"]) == (
        "n-17",
        "note",
        "cli",
        "ingest",
    )
    assert (origin["tx"], origin["recorded_at"], origin["source_at"]) == (
        1,
        "2026-05-20T10:00:00Z",
        "2026-02-03T08:00:00Z",
    )


def test_equal_scores_go_by_date_and_then_by_id(memory: Memory) -> None:
    for key, day in (("a", 10), ("b", 12), ("c", 12)):
        tell(memory, note(key, "Plums ripen.", f"2026-05-{day}T08:00:00Z"))
    told = found(memory, TOOL, query="plums", k=2)["results"]
    assert [each["source"] for each in told] == ["note:b", "note:c"]
    assert len(found(memory, TOOL, query="plums", k=20)["results"]) == 3


def test_a_floor_cuts_and_the_hint_names_it_and_the_best_below(orchard: Memory) -> None:
    assert titles(orchard, query="late frost blossom", min_similarity=0.3) == ["Frost log"]
    said = empty(orchard, TOOL, "semanticNoResults", query="late frost blossom", min_similarity=0.95)
    best = found(orchard, TOOL, query="late frost blossom", k=1)["results"][0]["score"]
    assert "0.95" in said["_hint"]["text"]
    assert f"{best:.4f}" in said["_hint"]["text"]
    assert [each["tool"] for each in said["_hint"]["next"]] == [TOOL, "carabase_route_and_execute"]
    assert said["_hint"]["next"][0]["args"]["min_similarity"] == 0.75


def test_an_empty_memory_says_what_to_try(memory: Memory) -> None:
    said = empty(memory, TOOL, "semanticNoResults", query="anything")
    assert said["results"] == []


def test_filters_act_before_anything_is_ranked(orchard: Memory) -> None:
    tell(orchard, note("t1", "Frost again.", folio="Weather", tags=["Cold", "#spring"], source_kind="inferred"))
    assert titles(orchard, query="bees", k=1, folio="weather") == ["Frost again."]
    assert titles(orchard, query="bees", k=1, tags=["cold", "#SPRING"]) == ["Frost again."]
    assert titles(orchard, query="bees", k=1, source_kinds="inferred") == ["Frost again."]
    assert titles(orchard, query="bees", k=5, date_from="2026-02", date_to="2026-02") == ["Frost log"]
    assert titles(orchard, query="frost", k=1, date_from="2026-05-18T09:00:00+00:00") == ["Bees"]
    empty(orchard, TOOL, "semanticNoResults", query="frost", kinds=["commit"])
    said = empty(orchard, TOOL, "folioUnknown", query="frost", folio="The Weather Station")
    assert "Weather" in said["_hint"]["text"]
    assert said["_hint"]["next"][0]["args"]["folio"] == "Weather"


def test_a_filter_that_all_pass_changes_nothing(orchard: Memory) -> None:
    plain = found(orchard, TOOL, query="late frost, old pear trees", k=20)["results"]
    for where in ({"kinds": "record"}, {"date_from": "2026"}, {"source_kinds": ["extracted"]}):
        assert found(orchard, TOOL, query="late frost, old pear trees", k=20, **where)["results"] == plain


def test_what_was_learned_later_is_not_found_by_an_earlier_moment(orchard: Memory) -> None:
    assert titles(orchard, query="bees", k=20, as_of=1) == ["Frost log"]
    assert titles(orchard, query="bees", k=20, as_of="tx:2") == ["Pruning", "Frost log"]
    assert empty(orchard, TOOL, "semanticNoResults", query="bees", as_of=0)["count"] == 0
    tell(orchard, note("n-19", "The hives stand empty.", "2026-05-19T08:00:00Z", title="No bees"))
    assert "Bees" not in titles(orchard, query="bees", k=20)
    assert titles(orchard, query="bees returned to the hives", k=1, as_of=3) == ["Bees"]


def test_a_hollow_record_is_found_by_its_summary_and_a_dark_one_never(memory: Memory) -> None:
    tell(memory, note("h", "Every detail of the quince harvest.", title="Quince", tier=1, summary="Quinces picked."))
    tell(memory, note("m", "Every detail of the medlar harvest.", title="Medlar", tier=2))
    tell(memory, note("d", "Every detail of the damson harvest.", title="Damson", tier=3))
    told = found(memory, TOOL, query="quinces picked", k=20)["results"]
    assert [(each["title"], each["tier"], each["excerpt"]) for each in told[:1]] == [("Quince", 1, "Quinces picked.")]
    assert sorted(each["title"] for each in told) == ["Medlar", "Quince"]
    assert "detail" not in same(told)


def test_without_an_embedder_words_are_counted(orchard: Memory) -> None:
    silent = WorkspaceCache()
    silent._embedders.append(None)
    deaf = replace(orchard, cache=silent)
    told = found(deaf, TOOL, query="did the bees, and the frost, take blossoms?")
    assert told["method"] == "text"
    assert [(each["title"], each["score"]) for each in told["results"]] == [("Frost log", 0.75), ("Bees", 0.25)]
    assert found(deaf, TOOL, query="bees frost", min_similarity=0.5)["count"] == 2
    assert empty(deaf, TOOL, "semanticNoResults", query="the of and")["count"] == 0


@pytest.mark.parametrize("query", ["José MÜLLER", "ångström", "梅の木", "Ελλάδα", "3.5"])
def test_without_an_embedder_words_of_every_script_are_found(orchard: Memory, query: str) -> None:
    silent = WorkspaceCache()
    silent._embedders.append(None)
    tell(orchard, note("n-20", "José Müller of Ångström planted 梅の木 in Ελλάδα, 3.5 metres apart.", title="Afar"))
    [hit] = found(replace(orchard, cache=silent), TOOL, query=query)["results"]
    assert (hit["title"], hit["score"]) == ("Afar", 1.0)


@pytest.mark.parametrize(
    ("text", "query"),
    [("ฉันไปซื้อผักที่ตลาด", "ผัก"), ("ខ្ញុំទៅផ្សារ", "ផ្សារ"), ("நான் சந்தைக்கு சென்றேன்", "சந்தைக்கு"), ("मैं बाज़ार गया", "बाज़ार")],
)
def test_without_an_embedder_words_are_found_with_their_vowel_signs(orchard: Memory, text: str, query: str) -> None:
    silent = WorkspaceCache()
    silent._embedders.append(None)
    tell(orchard, note("n-20", text, title="Afar"))
    [hit] = found(replace(orchard, cache=silent), TOOL, query=query)["results"]
    assert (hit["title"], hit["score"]) == ("Afar", 1.0)


def test_asked_twice_the_answer_is_the_same(orchard: Memory) -> None:
    once, again = (ask(orchard, TOOL, {"query": "frost", "k": 20}) for _ in range(2))
    assert (once.structured, once.texts) == (again.structured, again.texts)


def test_words_and_authors_decide_which_artifacts_come_back_and_the_cosine_orders_them(memory: Memory) -> None:
    tell(memory, note("a", "What did Mara plant? Mara asked.", author="Ole", title=None))
    tell(memory, note("b", "Mara, what did you do?", author="Ole", title=None))
    tell(memory, note("c", "I planted three quince trees behind the old barn this spring.", author="Mara", title=None))
    hits = found(memory, TOOL, query="What quince did Mara plant?", k=2)["results"]
    assert "note:c" in [each["source"] for each in hits]
    scores = [each["score"] for each in hits]
    assert scores == sorted(scores, reverse=True)

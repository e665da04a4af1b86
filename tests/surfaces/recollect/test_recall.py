"""`recall`: one ranking of facts and passages, a relevance floor, states, filters and a budget."""

from dataclasses import replace
from typing import Any

import pytest

from recollect.memory import Memory, WorkspaceCache
from recollect.surfaces.declarations import Answer
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from recollect.write.owner import set_owner_name
from tests.conftest import MovingClock
from tests.support.facts import entity_named, fact, facts_of, tell
from tests.surfaces.recollect.test_changing import Agent

ACME = {"name": "acme-web", "type": "project"}


def ask(memory: Memory, query: str, **arguments: Any) -> Answer:
    tool = find_surface("recollect").find("recall")
    answer = call(tool, lambda each: memory.as_actor(each.surface.name, each.name), {"query": query, **arguments})
    assert not answer.is_error, answer.texts
    return answer


def texts(memory: Memory, query: str, **arguments: Any) -> list[str]:
    return [each["text"] for each in ask(memory, query, **arguments).structured["results"]]


def note(memory: Memory, text: str, *facts: dict[str, Any], key: str = "n1", at: str = "2026-05-01") -> None:
    tell(memory, *facts, id=key, source_at=f"{at}T08:00:00Z", content=text)


@pytest.fixture
def without_embedder(memory: Memory) -> Memory:
    return replace(memory, cache=WorkspaceCache([None]))


def test_a_fact_is_found_by_a_paraphrase(memory: Memory) -> None:
    tell(memory, fact("Paulo", "works_as", {"literal": "an airline pilot"}))
    tell(memory, fact("Grace", "lives_in", {"name": "Porto"}))
    assert texts(memory, "Who flies planes for a living?") == ["Paulo works as an airline pilot"]


def test_the_line_of_a_fact_has_what_is_known_about_it(memory: Memory) -> None:
    uses = fact(ACME, "uses", {"literal": "pnpm"}, valid_from="2026-03-10")
    tell(memory, uses, id="n1", title="chat", source_at="2026-03-10T08:00:00Z")
    answer = ask(memory, "What does acme-web use?")
    [found] = answer.structured["results"]
    assert answer.texts[0] == f"- acme-web uses pnpm (since 2026-03-10; chat, 2026-03-10) [{found['id']}]"
    assert found | {"id": ""} == {
        "id": "",
        "kind": "fact",
        "text": "acme-web uses pnpm",
        "state": "current",
        "since": "2026-03-10",
        "source": "chat",
        "date": "2026-03-10",
    }
    assert "null" not in str(answer.structured)


def test_an_unrelated_question_finds_nothing_and_the_nearest_names_are_listed(memory: Memory) -> None:
    tell(memory, fact(ACME, "uses", {"literal": "pnpm"}), fact("Ada Brandt", "lives_in", {"name": "Porto"}))
    nothing = ask(memory, "How do glaciers shape valleys?")
    assert nothing.texts[0].startswith("Nothing known")
    assert nothing.structured == {"results": [], "truncated": False}
    near = ask(memory, "What does Brand like?")
    assert [each["name"] for each in near.structured["nearest"]] == ["Ada Brandt"]
    assert "Ada Brandt" in near.texts[0]


def test_an_unknown_name_to_ask_about_is_no_error(memory: Memory) -> None:
    tell(memory, fact("Ada Brandt", "lives_in", {"name": "Porto"}))
    answer = ask(memory, "Where does she live?", about="Ada Brendan")
    assert answer.texts[0].startswith("Nothing known")
    assert [each["name"] for each in answer.structured["nearest"]] == ["Ada Brandt"]


def test_only_what_concerns_the_name_asked_about_is_listed(memory: Memory) -> None:
    for who in ("Ada", "Ben"):
        note(memory, f"{who} walked to the mill by the lake", fact(who, "likes", {"literal": "the mill"}), key=who)
    answer = ask(memory, "mill", about="Ben")
    assert texts(memory, "mill", about="Ben") == ["Ben likes the mill", "Ben walked to the mill by the lake"]
    assert answer.structured["about"]["name"] == "Ben"


def test_a_current_fact_comes_before_a_past_one_of_the_same_subject_and_predicate(memory: Memory) -> None:
    tell(memory, fact(ACME, "uses", {"literal": "npm"}, valid_from="2020", valid_until="2025"))
    tell(memory, fact(ACME, "uses", {"literal": "pnpm"}, valid_from="2026"))
    found = ask(memory, "does acme-web use npm").structured["results"]
    assert [(each["text"], each["state"]) for each in found] == [
        ("acme-web uses pnpm", "current"),
        ("acme-web uses npm", "ended"),
    ]


def test_states_are_those_at_the_time_asked_about(memory: Memory) -> None:
    tell(memory, fact(ACME, "uses", {"literal": "npm"}, valid_from="2020", valid_until="2025"))
    tell(memory, fact(ACME, "uses", {"literal": "pnpm"}, valid_from="2026"))
    found = ask(memory, "what does acme-web use", at="2022").structured["results"]
    assert [(each["text"], each["state"]) for each in found] == [
        ("acme-web uses npm", "current"),
        ("acme-web uses pnpm", "upcoming"),
    ]


def test_what_was_known_at_an_earlier_time_is_recalled(memory: Memory, clock: MovingClock) -> None:
    tell(memory, fact(ACME, "uses", {"literal": "npm"}))
    clock.set("2026-06-20T10:00:00Z")
    tell(memory, fact(ACME, "uses", {"literal": "yarn"}))
    assert sorted(texts(memory, "acme-web")) == ["acme-web uses npm", "acme-web uses yarn"]
    for as_of in ("2026-06-01", "last month", 1):
        assert texts(memory, "acme-web", as_of=as_of) == ["acme-web uses npm"]


def test_sources_are_bounded_in_time(memory: Memory) -> None:
    note(
        memory,
        "The first lantern hangs low",
        fact("Ada", "tends", {"literal": "lantern one"}),
        key="a",
        at="2026-04-01",
    )
    note(memory, "The second lantern hangs high", fact("Ada", "tends", {"literal": "lantern two"}), key="b")
    assert sorted(texts(memory, "lantern", since="2026-04-15")) == [
        "Ada tends lantern two",
        "The second lantern hangs high",
    ]
    assert sorted(texts(memory, "lantern", until="April 2026")) == [
        "Ada tends lantern one",
        "The first lantern hangs low",
    ]


def test_kinds_are_chosen(memory: Memory) -> None:
    note(memory, "The lantern hangs low", fact("Ada", "tends", {"literal": "the lantern"}))
    tell(memory, id="m1", type="mail", source_at="2026-05-02T08:00:00Z", content="A lantern was sold")
    found = {kind: texts(memory, "lantern", kinds=[kind]) for kind in ("facts", "notes", "documents", "memories")}
    assert found == {
        "facts": ["Ada tends the lantern"],
        "notes": ["The lantern hangs low"],
        "documents": ["A lantern was sold"],
        "memories": [],
    }


def test_a_passage_that_adds_no_words_to_the_facts_is_left_out(memory: Memory) -> None:
    note(memory, "Ada tends the lantern.", fact("Ada", "tends", {"literal": "the lantern"}))
    assert texts(memory, "lantern") == ["Ada tends the lantern"]


def test_a_passage_that_tells_of_what_is_to_come_is_not_outdated(memory: Memory) -> None:
    remember = find_surface("recollect").find("remember")
    call(
        remember, lambda each: memory.as_actor("recollect", each.name), {"text": "The rent goes up to 1240 from July."}
    )
    found = ask(memory, "how much is the rent").structured["results"]
    assert [each.get("state") for each in found if each["kind"] == "note"] == [None]


def test_a_passage_none_of_whose_facts_stands_is_outdated(memory: Memory) -> None:
    tends = fact("Ada", "tends", {"literal": "the lantern"})
    note(memory, "Since the storm Ada tends the lantern", tends)
    tell(memory, tends | {"confidence": "retracted"}, id="n2", source_at="2026-05-02T08:00:00Z")
    [found] = ask(memory, "lantern").structured["results"]
    assert (found["text"], found["state"]) == ("Since the storm Ada tends the lantern", "outdated")
    assert "outdated" in ask(memory, "lantern").texts[0]


def test_a_passage_is_not_outdated_while_it_tells_what_nothing_was_read_from(memory: Memory) -> None:
    say(memory, "remember", text="Teo works at Harrow Bridge. Oh what a view from that lantern room over the bay.")
    say(memory, "remember", text="Mia works at Harrow Bridge as a keeper of the lantern.")
    for who in ("Teo", "Mia"):
        say(memory, "remember", text=f"{who} no longer works at Harrow Bridge.")
    found = ask(memory, "lantern").structured["results"]
    notes = {each["text"][:3]: each.get("state") for each in found if each["kind"] == "note"}
    assert notes == {"Teo": None, "Mia": "outdated"}


def say(memory: Memory, tool: str, **asked: Any) -> Any:
    found = find_surface("recollect").find(tool)
    return call(found, lambda each: memory.as_actor("recollect", each.name), asked).structured


def test_recall_says_that_more_is_known_of_what_has_too_many_facts_to_search(memory: Memory) -> None:
    tell(memory, *(fact("Ada", "tends", {"literal": f"lantern {number}"}) for number in range(210)))
    few = ask(memory, "which lanterns does Ada tend", max_tokens=20_000)
    assert few.structured["truncated"]
    assert few.texts[0].splitlines()[-1].startswith("More is known")


def test_my_means_the_owner(memory: Memory) -> None:
    tell(memory, fact("Ada Brandt", "rent", {"literal": "900 euros"}), fact("Ben", "rent", {"literal": "700 euros"}))
    owner = entity_named(memory, "Ada Brandt")
    assert owner is not None
    with memory.write() as change:
        set_owner_name(change, "Ada Brandt")
    assert texts(memory, "What is my rent?")[0] == "Ada Brandt's rent is 900 euros"
    assert texts(memory, "what do you know about me?") == ["Ada Brandt's rent is 900 euros"]
    assert texts(memory, "rent", about="me") == ["Ada Brandt's rent is 900 euros"]


@pytest.mark.parametrize("tokens", [100, 150, 400, 1500])
def test_the_text_never_exceeds_its_budget(memory: Memory, tokens: int) -> None:
    tell(memory, *(fact(ACME, "uses", {"literal": f"package {number}"}) for number in range(60)))
    note(memory, "acme-web needs a package registry. " * 40)
    answer = ask(memory, "which packages does acme-web use", max_tokens=tokens)
    assert len(answer.texts[0]) <= 4 * tokens
    assert answer.structured["results"]
    assert answer.structured["truncated"]
    facts = [line for line in answer.texts[0].splitlines() if "[fact_" in line]
    assert sum(map(len, facts)) <= 160 * len(facts)


def test_recall_finds_by_words_and_names_without_an_embedder(without_embedder: Memory) -> None:
    tell(without_embedder, fact(ACME, "uses", {"literal": "pnpm"}))
    note(without_embedder, "The harbour lantern was lit")
    assert texts(without_embedder, "who lit the lanterns") == ["The harbour lantern was lit"]
    assert texts(without_embedder, "acme-web") == ["acme-web uses pnpm"]
    assert texts(without_embedder, "zebra stripes") == []


def test_a_fact_is_found_by_an_alias_of_its_subject(memory: Memory) -> None:
    stone = {"name": "Robert Stone", "type": "person", "aliases": ["Bobby"]}
    tell(memory, fact("Robert Stone", "likes", {"literal": "jazz"}), entities=[stone])
    assert texts(memory, "Bobby") == ["Robert Stone likes jazz"]


def test_the_newest_of_many_changed_values_comes_first(memory: Memory, clock: MovingClock) -> None:
    subjects = [f"service {name}" for name in ("amber", "birch", "cedar", "dune", "ember")]
    for month in range(1, 6):
        clock.set(f"2026-0{month}-10T10:00:00Z")
        for subject in subjects:
            ends = {"valid_until": f"2026-0{month + 1}-09"} if month < 5 else {}
            stated = fact({"name": subject, "type": "project"}, "version", {"literal": f"{month}.0"}, **ends)
            note(memory, f"{subject} is at version {month}.0", stated | {"valid_from": f"2026-0{month}-10"},
                 key=f"{subject}-{month}", at=f"2026-0{month}-10")  # fmt: skip
    clock.set("2026-05-20T10:00:00Z")
    for subject in subjects:
        assert texts(memory, f"Which version is {subject} on?")[0] == f"{subject}'s version is 5.0"


def test_a_read_only_caller_may_recall(memory: Memory) -> None:
    tell(memory, fact(ACME, "uses", {"literal": "pnpm"}))
    tool = find_surface("recollect").find("recall")
    reader = memory.as_actor("recollect", "recall", may_write=False)
    answer = call(tool, lambda _: reader, {"query": "acme-web"})
    assert answer.structured["waiting"] == 1
    assert [each["text"] for each in answer.structured["results"]] == ["acme-web uses pnpm"]


@pytest.mark.parametrize(
    ("field", "value"), [("at", "whenever"), ("since", "the day before never"), ("until", "??"), ("as_of", "sometime")]
)
def test_an_unreadable_time_is_refused(memory: Memory, field: str, value: str) -> None:
    tool = find_surface("recollect").find("recall")
    answer = call(tool, lambda each: memory.as_actor("recollect", each.name), {"query": "rent", field: value})
    assert (answer.is_error, answer.structured["error"]["code"]) == (True, "invalid_input")
    assert answer.structured["error"]["field"] == field
    assert answer.structured["error"]["example"] == {"query": "rent"}


def test_facts_that_share_no_more_than_a_name_do_not_fill_the_answer(memory: Memory) -> None:
    tell(memory, *(fact("Ada", "owns", {"literal": f"lantern number {number}"}) for number in range(30)))
    tell(memory, fact("Ada", "lives_in", {"name": "Porto"}))
    assert texts(memory, "In which city does Ada live?")[0] == "Ada lives in Porto"
    assert len(texts(memory, "In which city does Ada live?")) <= 11
    assert len(texts(memory, "Ada")) == 31


def test_a_passage_that_states_only_a_hidden_fact_is_not_shown(memory: Memory) -> None:
    note(memory, "Since the storm Ada tends the lantern", fact("Ada", "tends", {"literal": "the lantern"}))
    [row] = facts_of(memory, "Ada")
    with memory.write() as change:
        change.put_fact(row.fact._replace(certainty="retracted", attributes={"hidden_since": change.now}))
    assert texts(memory, "lantern") == []


def test_a_note_on_another_service_does_not_come_before_the_fact_on_the_one_asked_for(memory: Memory) -> None:
    remember = find_surface("recollect").find("remember")
    for number in range(10, 22):
        said = {"text": f"svc-{number} uses Vite. svc-{number} switched from Vite to Rollup."}
        call(remember, lambda each: memory.as_actor("recollect", each.name), said)
    tell(memory, fact({"name": "svc-8", "type": "service"}, "uses", {"literal": "pnpm"}))
    assert texts(memory, "What does svc-8 use?")[0] == "svc-8 uses pnpm"


def test_a_tracker_is_found_by_what_is_tracked_in_it(memory: Memory) -> None:
    note(memory, "we track bugs in Linear")
    note(memory, "The cellar smells of moss after a storm.", key="n2")
    assert texts(memory, "which tracker do we use") == ["we track bugs in Linear"]


def test_a_note_that_denies_a_listed_fact_is_shown_beside_it(memory: Memory) -> None:
    note(memory, "Ada is allergic to shellfish.", fact("Ada", "allergic_to", "shellfish"))
    note(memory, "Ada is not allergic to shellfish.", key="n2")
    assert any("not allergic" in each for each in texts(memory, "is Ada allergic to shellfish"))


def test_an_event_that_comes_after_the_time_asked_about_is_upcoming_then(memory: Memory) -> None:
    tell(memory, fact("Yuki", "completion", {"literal": "the lease is signed"}, valid_from="2026-03-10"))
    [now] = ask(memory, "Yuki lease", at="2026-04-01", kinds=["facts"]).structured["results"]
    [before] = ask(memory, "Yuki lease", at="2026-01-01", kinds=["facts"]).structured["results"]
    assert (now["state"], before["state"]) == ("current", "upcoming")


def test_what_the_question_names_is_found_while_its_vector_waits(memory: Memory) -> None:
    for first in range(0, 200, 50):
        tell(memory, *(fact(f"Depot {n}", "manager", {"literal": f"Person{n}"}) for n in range(first, first + 50)))
    for number in (0, 1, 120):
        assert texts(memory, f"who manages Depot {number}?")[0].startswith(f"Depot {number}'s")


@pytest.mark.parametrize("question", ["where do I live", "where am I living"])
def test_a_question_of_the_owner_finds_the_fact_with_its_words(memory: Memory, question: str) -> None:
    with memory.write() as change:
        set_owner_name(change, "Ada Brandt")
    remember(memory, text="I live in Faro.", source_at="2026-01-10")
    remember(memory, facts=[{"subject": "me", "predicate": "lives_in", "object": "Lagos"}], source_at="2026-05-01")
    remember(memory, facts=[{"subject": "me", "predicate": "works_at", "object": "Acme"}])
    assert texts(memory, question)[0] == "Ada Brandt lives in Lagos"


@pytest.mark.parametrize(
    ("month", "first"), [("February", "baked bread"), ("March", "the Tatra mountains"), ("April", "a pottery course")]
)
def test_what_is_of_the_month_asked_about_comes_first(memory: Memory, month: str, first: str) -> None:
    remember(memory, text="Ewa and I baked bread.", source_at="2026-02-11")
    remember(memory, text="Went hiking with Ewa in the Tatra mountains.", source_at="2026-03-14")
    remember(memory, text="Ewa and I did a pottery course.", source_at="2026-04-11")
    assert first in texts(memory, f"what did I do with Ewa in {month} 2026")[0]


def remember(memory: Memory, **arguments: Any) -> Any:
    tool = find_surface("recollect").find("remember")
    return call(tool, lambda each: memory.as_actor(each.surface.name, each.name), arguments).structured


def test_a_note_with_a_past_value_does_not_come_before_the_value_that_replaced_it(
    memory: Memory, clock: MovingClock
) -> None:
    agent_texts = ["Priya Shah works at Northwind since January 2024. She lives in Leeds."]
    agent_texts.append("Priya Shah moved to York in March 2026.")
    for day, text in enumerate(agent_texts, start=11):
        clock.set(f"2026-06-{day}T09:00:00Z")
        answer = call(
            find_surface("recollect").find("remember"),
            lambda each: memory.as_actor(each.surface.name, each.name),
            {"text": text},
        )
        assert not answer.is_error
    found = texts(memory, "Where does Priya live?")
    assert "York" in found[0]
    assert found.index("Priya Shah lives in York") < found.index(agent_texts[0])


def test_a_fact_of_one_person_does_not_answer_for_another_whom_its_sentence_names(memory: Memory) -> None:
    Agent(memory).do("remember", text="Mia and Leo are allergic to strawberries.")
    assert "Mia is allergic to strawberries" not in texts(memory, "which school does Leo go to?")
    assert texts(memory, "what is Leo allergic to?")[0] == "Leo is allergic to strawberries"


def test_a_rumour_that_agrees_does_not_hide_the_better_source(memory: Memory) -> None:
    rules = fact({"name": "Mira", "type": "Person"}, "rules", {"name": "Halden"})
    tell(memory, rules, id="n1", title="Annals", source_at="2026-03-10T08:00:00Z", reliability="canonical")
    tell(memory, rules, id="n2", title="Tavern talk", source_at="2026-04-10T08:00:00Z", reliability="rumor")
    answer = ask(memory, "Who rules Halden?")
    [found] = answer.structured["results"]
    assert (found["source"], found["date"], found["sources"]) == ("Annals", "2026-03-10", 2)
    assert "(Annals, 2026-03-10, 2 sources)" in answer.texts[0]
    tell(memory, rules, id="n3", title="Chronicle", source_at="2026-05-10T08:00:00Z", reliability="canonical")
    [found] = ask(memory, "Who rules Halden?").structured["results"]
    assert (found["source"], found["sources"]) == ("Chronicle", 3)

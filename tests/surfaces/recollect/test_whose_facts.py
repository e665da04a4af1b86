"""Whose facts `remember` reads: what others tell or like is not the owner's, and one name may mean a fuller one."""

import pytest

from recollect.memory import Memory
from tests.surfaces.recollect.test_changing import Agent
from tests.surfaces.recollect.test_remember import remember


@pytest.fixture
def agent(memory: Memory) -> Agent:
    return Agent(memory)


@pytest.mark.parametrize(
    "text",
    [
        "Dunne grumbled that the last pallet came in soaked.",
        "Karl told me that the invoice was paid.",
        "Karl says the parcel came in.",
        "My boss announced that the deal was cancelled.",
    ],
)
def test_what_another_tells_is_no_report_of_the_owner(agent: Agent, text: str) -> None:
    stored = agent.do("remember", text=text)
    assert (stored["facts"], stored["not_understood"]) == ([], [text])


@pytest.mark.parametrize(
    "text",
    [
        "The test that Karl wrote is fixed.",
        "I told Karl that the invoice was paid.",
        "Karl confirmed that the invoice was paid.",
        "Karl paid the bill that Eva sent.",
    ],
)
def test_a_report_with_a_clause_behind_that_counts(agent: Agent, text: str) -> None:
    [fact] = agent.do("remember", text=text)["facts"]
    assert fact["predicate"] in ("completion", "resolution")


@pytest.mark.parametrize("text", ["Tom's favourite film is on tonight.", "The kids' favourite game is tag."])
def test_what_others_like_best_is_no_preference_of_the_owner(agent: Agent, text: str) -> None:
    assert agent.do("remember", text=text)["facts"] == []


def test_a_person_named_in_full_is_meant_by_one_name_later_in_the_text(agent: Agent) -> None:
    text = "Priya Nair works at Lumen. Priya speaks Hindi. Nair is allergic to nuts."
    stored = agent.do("remember", text=text)
    assert [each["text"] for each in stored["facts"]] == [
        "Priya Nair works at Lumen",
        "Priya Nair speaks Hindi",
        "Priya Nair is allergic to nuts",
    ]


def test_a_first_name_that_two_people_of_the_text_share_is_neither(agent: Agent) -> None:
    stored = agent.do("remember", text="Anna Berg lives in Oslo. Anna Borg lives in Turku. Anna speaks Finnish.")
    assert stored["facts"][2]["text"] == "Anna speaks Finnish"


def test_a_debt_names_the_owner(agent: Agent) -> None:
    agent.do("remember", text="My name is Iris Vale.")
    assert agent.do("remember", text="Tom owes me 20 euros.")["facts"][0]["text"] == "Tom owes 20 euros to Iris Vale"


def test_a_value_may_be_a_name_with_an_article(agent: Agent) -> None:
    assert agent.do("remember", text="Merrow's ship is the Gull.")["facts"][0]["text"] == "Merrow's ship is the Gull"
    assert agent.do("remember", text="Merrow's crew is the worst.")["facts"] == []


def test_what_others_ask_about_is_no_preference(agent: Agent) -> None:
    assert agent.do("remember", text="Eva asked whether I like tea.")["facts"] == []


@pytest.mark.parametrize(
    "text",
    [
        "Eva quit her job at Bosch.",
        "Eva lost her job at Bosch.",
        "Eva resigned from Bosch.",
        "Eva has retired from Bosch.",
        "Eva got fired from Bosch.",
        "Eva was laid off by Bosch.",
    ],
)
def test_who_gave_up_a_job_no_longer_works_there(agent: Agent, text: str) -> None:
    agent.do("remember", text="Eva works at Bosch.", source_at="2026-02-01")
    agent.do("remember", text=text)
    [fact] = agent.do("recall", query="where does Eva work", kinds=["facts"])["results"]
    assert (fact["text"], fact["state"]) == ("Eva works at Bosch", "ended")


@pytest.mark.parametrize("text", ["Eva wasn't fired from Bosch.", "Eva might have quit her job at Bosch."])
def test_who_may_not_have_given_up_a_job_still_works_there(agent: Agent, text: str) -> None:
    agent.do("remember", text="Eva works at Bosch.", source_at="2026-02-01")
    agent.do("remember", text=text)
    [fact] = agent.do("recall", query="where does Eva work", kinds=["facts"])["results"]
    assert fact["state"] == "current"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("My email is ada@old.example.", "My email changed to ada@new.example."),
        ("My phone number is 0660 555 11.", "My phone number changed to 0660 555 22."),
        ("My address is Hofgasse 1.", "My address has changed to Ringstraße 5."),
    ],
)
def test_a_changed_way_to_reach_somebody_replaces_the_former(agent: Agent, before: str, after: str) -> None:
    agent.do("remember", text=before, source_at="2026-02-01")
    assert [each["outcome"] for each in agent.do("remember", text=after)["facts"]] == ["replaced"]


def test_behind_the_occasion_of_a_note_nobody_else_speaks(memory: Memory) -> None:
    result = remember(memory, text="Standup: Kofi Mensah moved to Accra. I will call the bank by Friday.")
    assert [each["predicate"] for each in result["facts"]] == ["lives_in", "commitment"]
    assert remember(memory, text="Kofi: I live in Accra.", dry_run=True)["facts"] == []


@pytest.mark.parametrize(("name", "type_"), [("Project Wren", "project"), ("Acme GmbH", "organization")])
def test_what_is_blocked_has_the_type_that_its_name_tells(memory: Memory, name: str, type_: str) -> None:
    result = remember(memory, text=f"{name} is blocked by legal review.")
    assert {(each["name"], each["type"]) for each in result["entities"]} == {(name, type_)}


def test_no_person_is_made_of_a_known_project(memory: Memory) -> None:
    wren = {"name": "Project Wren", "type": "project"}
    remember(memory, facts=[{"subject": wren, "predicate": "uses", "value": "Rust"}])
    result = remember(memory, text="Project Wren is blocked by legal review.")
    assert [each["type"] for each in result["entities"] if each["name"] == "Project Wren"] == ["project"]


@pytest.mark.parametrize("text", ["Ola Berg prefers not to say.", "Ola Berg prefers not to comment on it."])
def test_who_prefers_not_to_say_has_no_preference(memory: Memory, text: str) -> None:
    assert remember(memory, text=text)["facts"] == []

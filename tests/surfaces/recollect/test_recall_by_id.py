"""`recall` with an id answers that very thing."""

import pytest

from recollect.memory import Memory
from tests.surfaces.recollect.test_changing import Agent


@pytest.fixture
def agent(memory: Memory) -> Agent:
    agent = Agent(memory)
    agent.do("remember", text="Lena lives in Porto. Tom works at Acme.")
    agent.do("remember", text="Tom likes green tea.")
    return agent


@pytest.mark.parametrize("form", ["{}", "[{}]", " `{}` "])
def test_the_id_of_a_fact_gives_the_fact(agent: Agent, form: str) -> None:
    fact = agent.do("recall", query="where does Lena live", kinds=["facts"])["results"][0]
    assert agent.do("recall", query=form.format(fact["id"]))["results"] == [fact]


def test_the_id_of_an_entity_gives_what_is_known_of_it(agent: Agent) -> None:
    lena = agent.do("recall", query="x", about="Lena")["about"]["id"]
    found = agent.do("recall", query=lena)
    assert found["about"]["id"] == lena
    assert [each["text"] for each in found["results"] if each["kind"] == "fact"] == ["Lena lives in Porto"]


def test_the_id_of_a_document_gives_its_passages_and_one_passage_by_its_number(agent: Agent) -> None:
    note = agent.do("remember", text="The harbour closes early in winter. Ask the pilot.")["note"]
    for id_ in (note, f"{note}#0"):
        [passage] = agent.do("recall", query=id_)["results"]
        assert (passage["document"], passage["kind"]) == (note, "note")
        assert "harbour closes" in passage["text"]
    assert agent.do("recall", query=f"{note}#7")["results"] == []


def test_an_unknown_or_hidden_id_gives_nothing_rather_than_something_else(agent: Agent) -> None:
    fact = agent.do("recall", query="where does Lena live", kinds=["facts"])["results"][0]["id"]
    agent.do("forget", target=fact)
    for id_ in (fact, "fact_01M7PSFQVMEB7BDP7W6CDVVNEC", "ent_01M7PSFQVMEB7BDP7W6CDVVNEC"):
        assert agent.do("recall", query=id_)["results"] == []

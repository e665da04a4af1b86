"""`recall` of questions in other languages than the encoder's: the words they share with a text decide."""

import pytest

from recollect.embed.local import LocalEmbedder
from recollect.memory import Memory
from recollect.search.relevance import is_unsupported_by_encoder
from tests.surfaces.recollect.test_changing import Agent

NOTES = (
    "Meine Schwester Ina wohnt in Kiel.",
    "Der TÜV ist im März fällig.",
    "Die Miete beträgt 900 Euro.",
    "Le loyer est de 700 euros.",
    "Mi hermana vive en Sevilla.",
    "El coche está en el taller.",
)
QUESTIONS = {
    "wo wohnt Ina": NOTES[0],
    "wann ist der TÜV": NOTES[1],
    "was kostet die Miete": NOTES[2],
    "combien coûte le loyer": NOTES[3],
    "dónde vive mi hermana": NOTES[4],
}
UNRELATED = (
    "wer hat das Tor geschossen",
    "wann kommt der Zug",
    "wo ist der Bahnhof",
    "qui a gagné le match",
    "où est le chat",
    "quién ganó el partido",
    "cuándo sale el tren",
)


@pytest.fixture
def agent(memory: Memory) -> Agent:
    told = Agent(memory)
    for text in NOTES:
        told.do("remember", text=text)
    return told


def test_a_question_finds_what_shares_a_word_with_it(agent: Agent) -> None:
    found = {question: agent.do("recall", query=question)["results"] for question in QUESTIONS}
    assert {question: results[0]["text"] for question, results in found.items()} == QUESTIONS


def test_an_unrelated_question_finds_nothing(agent: Agent) -> None:
    found = {question: agent.do("recall", query=question)["results"] for question in UNRELATED}
    assert {question: results for question, results in found.items() if results} == {}


@pytest.mark.parametrize("question", ["where do I file a bug", "How much does Sofia earn per hour?", "hot beverage"])
def test_an_english_question_with_words_of_other_languages_is_english(question: str) -> None:
    assert not is_unsupported_by_encoder(question, LocalEmbedder())

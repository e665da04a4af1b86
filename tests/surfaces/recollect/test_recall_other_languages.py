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


UNSPACED_NOTES = (
    "私は東京に住んでいます。",
    "妻の名前は花子です。",
    "りんごのケーキがすきです。",
    "我住在上海。",
    "我的车是红色的。",
    "저는 서울에 살아요.",
)
UNSPACED_QUESTIONS = {
    "どこに住んでいますか": UNSPACED_NOTES[0],
    "妻の名前は何ですか": UNSPACED_NOTES[1],
    "りんごはどうですか": UNSPACED_NOTES[2],
    "我住在哪里": UNSPACED_NOTES[3],
    "车是什么颜色": UNSPACED_NOTES[4],
    "서울에 누가 있어요?": UNSPACED_NOTES[5],
}
UNSPACED_UNRELATED = ("電車はいつ来ますか", "昨日の試合は誰が勝ちましたか", "火车几点开", "기차는 언제 와요?")


@pytest.fixture
def eastern(memory: Memory) -> Agent:
    told = Agent(memory)
    for text in UNSPACED_NOTES:
        told.do("remember", text=text)
    return told


def test_a_question_without_spaces_finds_what_shares_a_part_with_it(eastern: Agent) -> None:
    found = {question: eastern.do("recall", query=question)["results"] for question in UNSPACED_QUESTIONS}
    assert {question: [each["text"] for each in results[:1]] for question, results in found.items()} == {
        question: [note] for question, note in UNSPACED_QUESTIONS.items()
    }


def test_an_unrelated_question_without_spaces_finds_nothing(eastern: Agent) -> None:
    found = {question: eastern.do("recall", query=question)["results"] for question in UNSPACED_UNRELATED}
    assert {question: results for question, results in found.items() if results} == {}


@pytest.mark.parametrize("question", ["where do I file a bug", "How much does Sofia earn per hour?", "hot beverage"])
def test_an_english_question_with_words_of_other_languages_is_english(question: str) -> None:
    assert not is_unsupported_by_encoder(question, LocalEmbedder())

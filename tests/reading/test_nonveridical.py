"""Fiction, drafts, examples and figures of speech are nobody's acts."""

from datetime import date

import pytest

from recollect.ingest.extract.chat_text import own_words
from recollect.reading.context import Context, TextKind
from recollect.reading.language import detect_language
from recollect.reading.reader import read_block


def facts(kind: TextKind, text: str) -> list[str | None]:
    context = Context(kind, date(2026, 10, 14), language=detect_language(text), date_order="dmy")
    return [each.act for each in read_block(text, context) if each.is_fact or each.states]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("mail", "In the libretto, Clara promises to return the ring by Sunday."),
        ("mail", "In the story, I promise to return the ring by Sunday."),
        ("mail", "In Act 2 the Count decides to forgive everybody."),
        ("mail", "In my dream we cancelled the concert."),
        ("mail", "In Ilse's new novel the mayor cancels the concert."),
        ("note", "I dreamt that I quit my job."),
        ("note", "Last night I dreamed we moved to Rome."),
        ("note", "I had a weird dream: I sold the house."),
        ("note", "Ich habe geträumt, dass ich nach Rom gezogen bin."),
        ("mail", "In the film, the hero has cancelled the wedding."),
        ("mail", "Im Roman verspricht Clara, den Ring bis Sonntag zurückzugeben."),
        ("mail", "Dans le roman, le concert est annulé."),
        ("mail", "En la novela, el concierto está cancelado."),
        ("mail", "Nel romanzo il concerto è annullato."),
        ("mail", "Example of a good reply: I'll send the form by Friday."),
        ("mail", "A typical excuse would be: I'll do it tomorrow."),
        ("mail", "Subject line should be: Concert cancelled."),
        ("mail", "Draft text for the website: We have decided to move to Linz."),
        ("mail", "Beispiel: Ich schicke die Liste bis Freitag."),
        ("mail", "Exemple : je vous enverrai la liste vendredi."),
        ("mail", "Refrain: We have decided to leave. I'll never come back on Monday."),
        ("note", "Song idea: I'll follow the river till Sunday"),
        ("note", "Film notes: the hero promises to return by Friday."),
        ("note", "Lyrics: I will wait for you until the end of time"),
        ("note", "The heroine cancelled her flight on Friday."),
        ("chat", "In my novel, Clara promises to return the ring by Sunday. She cancelled the party."),
        ("chat", "My character Lena decides to quit her job."),
        ("chat", "For example, say I decided to move to Lisbon in May."),
        ("chat", "Suppose we have decided to sell the house."),
        ("mail", "Stell dir vor, wir haben beschlossen, das Haus zu verkaufen."),
        ("mail", "Tell me about it!"),
        ("mail", "Don't quote me on that."),
        ("mail", "Make yourself at home when you come."),
        ("mail", "We agreed to disagree."),
        ("mail", "Help yourself to the cake on Friday."),
    ],
)
def test_what_is_made_up_or_only_a_wording_is_no_act(kind: TextKind, text: str) -> None:
    assert facts(kind, text) == []


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("mail", "In the book club we decided to read Emma in May."),
        ("mail", "In the meantime I'll send you the list by Friday."),
        ("mail", "In the show on Sunday I'll play the harp."),
        ("mail", "In my opinion it's done, so I'll send the invoice on Monday."),
        ("mail", "I'll send the draft for the website by Friday."),
        ("mail", "Please check the example by Friday."),
        ("mail", "Decision: we take the blue poster."),
        ("mail", "The story is finished, I sent it to the publisher."),
        ("mail", "The lyrics are done and I'll send them on Friday."),
        ("mail", "We agreed to meet on Friday."),
        ("mail", "I'll make the cake on Saturday."),
        ("mail", "In May we will perform the opera; I'll book the hall by Friday."),
        ("mail", "Please tell me about the harp by Friday."),
        ("mail", "I decided to write a novel by May."),
        ("mail", "In act of kindness we decided to waive the fee."),
        ("note", "Film night: I'll bring the projector on Friday"),
        ("note", "Book the hall by Friday"),
        ("note", "Song list: I'll print it on Friday"),
        ("mail", "Ich schicke dir den Roman bis Freitag."),
        ("mail", "Im Büro habe ich die Liste bis Freitag, ich schicke sie dann."),
    ],
)
def test_what_is_meant_beside_such_words_is_read(kind: TextKind, text: str) -> None:
    assert facts(kind, text)


def test_fiction_goes_on_until_somebody_speaks_for_themselves() -> None:
    assert facts("mail", "In the novel Clara has cancelled the wedding. The ring was returned.") == []
    assert facts("mail", "In my dream the hall burnt down. I'll send the invoice on Friday.") == ["commitment"]


@pytest.mark.parametrize(
    "turn",
    [
        "Role play: you are the landlord and I have cancelled the lease.",
        "Continue this story: I promise to come back by Sunday, said the fox.",
        "Write a song with the line I'll pay you back on Monday.",
        "Write a story about a man who says I have cancelled the lease.",
        "Compose a poem in which I promise to come back by Sunday.",
    ],
)
def test_what_an_assistant_is_to_invent_is_not_the_persons(turn: str) -> None:
    assert facts("chat", own_words(turn)) == []


def test_what_the_person_says_beside_it_is() -> None:
    turn = "Write a poem about the sea. I'll read it to Anna on Friday."
    assert "commitment" in facts("chat", own_words(turn))

"""Questions without their mark, wishes without a day, jokes, code and advertising: none of them states a fact."""

from datetime import date

import pytest

from recollect.reading.context import Context, Person
from recollect.reading.reader import read_block


def read(text: str, language: str = "en") -> list[tuple[str | None, str]]:
    """The act and the modality of each clause that would be a fact or a question, in a mail and in a note."""
    found: list[tuple[str | None, str]] = []
    for kind in ("mail", "note"):
        context = Context(kind, date(2027, 2, 15), speaker=Person("Ada Holm"), language=language)
        found += [(each.act, each.modality) for each in read_block(text, context) if each.act]
    return found


def states_nothing(text: str, language: str = "en") -> bool:
    return not [act for act, modality in read(text, language) if modality in ("asserted", "habitual", "reported")]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("has anybody emptied the skip", "en"), ("did the roofer ever send his bill", "en"),
        ("was the deposit paid to Mr Lunn", "en"), ("do we still have the long ladder", "en"),
        ("is the van back from the garage yet", "en"), ("anyone locked the shed", "en"),
        ("no idea whether Bo ordered the tiles", "en"), ("are the posters printed or not", "en"),
        ("hat jemand die Pumpe bestellt", "de"), ("quelqu'un a payé la facture", "fr"),
        ("alguien ha pagado la factura", "es"), ("qualcuno ha spedito il pacco", "it"),
        ("heeft iemand de pomp besteld", "nl"), ("har någon betalat räkningen", "sv"),
        ("czy ktoś zamówił pompę", "pl"), ("alguém já pagou a conta", "pt"),
    ],
)  # fmt: skip
def test_a_question_without_its_mark_is_asked(text: str, language: str) -> None:
    assert set(read(text, language)) == {("question", "asked")}


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("had the gutter fixed on Monday", "completion"), ("have the chairs ready by Friday", "request"),
        ("can you please send the list", "request"), ("I have paid the deposit", "completion"),
    ],
)  # fmt: skip
def test_what_only_begins_like_a_question_is_none(text: str, act: str) -> None:
    mail = Context("mail", date(2027, 2, 15), speaker=Person("Ada Holm"))
    assert [(each.act, each.modality) for each in read_block(text, mail)] == [(act, "asserted")]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("one day I'll restore that piano", "en"), ("someday we'll move to the coast", "en"),
        ("irgendwann mache ich den Schein", "de"), ("un jour j'apprendrai le russe", "fr"),
        ("the dog has decided that the sofa is his", "en"), ("der Kater hat beschlossen, hier zu wohnen", "de"),
        ("that exam killed me, send cake", "en"), ("sort of repaired the gate", "en"),
        ("choir trip not at risk at all", "en"), ("told him I'd sleep on it", "en"),
        ("// TODO: Bo will drop this branch by Monday", "en"), ('throw Error("order cancelled by caller")', "en"),
        ("FATAL: waiting for disk, blocked by job 12", "en"),
        ("Join before noon and we'll deliver your sofa free!", "en"), ("Claim your voucher by Monday.", "en"),
        ("By using this site you accept cookies and we will keep them for a year.", "en"),
        ("envío gratis: lo mandamos hasta agotar existencias", "es"),
    ],
)  # fmt: skip
def test_what_nobody_means_states_nothing(text: str, language: str) -> None:
    assert states_nothing(text, language)


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("estimate for two sent to Dagny on Friday, 1,900", "completion"), ("Tables all taken", "completion"),
        ("Otto's Monday ok'd", "decision"), ("I'll clear the cookies on the test site on Friday", "commitment"),
        ("INFO: the rehearsal is cancelled", "cancellation"), ("I'm worried about the risk", "concern"),
    ],
)  # fmt: skip
def test_what_looks_like_a_doubt_is_stated(text: str, act: str) -> None:
    assert set(read(text)) == {(act, "asserted")}


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("not coming to the barn dance after all", "cancellation"), ("motion on the fence: carried 6–1", "decision"),
        ("the flea market goes ahead in June", "decision"), ("we go all electric", "decision"),
        ("two pages are torn, worried the printer sees it", "concern"), ("I'm terrified of the dive", "concern"),
    ],
)  # fmt: skip
def test_short_words_of_a_note_are_read(text: str, act: str) -> None:
    assert set(read(text)) == {(act, "asserted")}


@pytest.mark.parametrize("text", ["not going anywhere after all these years", "the paving goes ahead of schedule"])
def test_words_that_only_look_so_are_not(text: str) -> None:
    assert states_nothing(text)

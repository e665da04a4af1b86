"""Whose blocker, promise or cancellation a line of minutes tells."""

from datetime import date

import pytest

from recollect.ingest.parties import parse_party, short_name_in_address
from recollect.reading.blocks import note_blocks
from recollect.reading.context import Context, Person
from recollect.reading.reader import read_block, read_sentence

PEOPLE = (Person("Lena Marsh", ("Lena",)), Person("Otto Brix", ("Otto",)))
MINUTES = Context("note", date(2027, 2, 15), speaker=Person("Ada Holm"), people=PEOPLE)


def read(text: str, context: Context = MINUTES) -> list[tuple[str | None, str | None]]:
    """The act of each clause and whose it is by name."""
    return [(each.act, each.doer.name if each.doer else None) for each in read_sentence(text, context)]


@pytest.mark.parametrize(
    "text", ["Lena can't varnish before the dust sheet is up", "masks: Lena cannot go on until we have the list"]
)
def test_a_blocker_is_of_the_person_who_cannot_go_on(text: str) -> None:
    assert ("blocker", "Lena") in read(text)


def test_a_thing_that_cannot_start_is_nobodys_blocker() -> None:
    assert ("blocker", None) in read("printer can't start until the cover is approved")


def test_a_promise_without_subject_is_of_the_person_the_line_begins_with() -> None:
    assert ("commitment", "Otto") in read("exit lamp: Otto looked at it, will put a new one in on Tuesday")


@pytest.mark.parametrize("text", ["I dropped the thing with the town hall.", "We've cut the whole pond scene."])
def test_an_idea_that_was_dropped_is_cancelled(text: str) -> None:
    assert "cancellation" in [act for act, _ in read(text)]


def test_what_a_friend_of_a_friend_heard_is_no_event() -> None:
    clauses = read_sentence("Mum told me her neighbour heard the flat is already sold.", MINUTES)
    assert [each.modality for each in clauses] == ["doubted"]


def test_a_past_spelt_like_an_order_asks_for_nothing() -> None:
    mail = Context("mail", date(2027, 2, 15), speaker=PEOPLE[0], addressees=(PEOPLE[1],))
    assert "request" not in [act for act, _ in read("Put a new belt on this morning & oiled it.", mail)]
    assert "request" in [act for act, _ in read("Put the new belt on the machine please.", mail)]


def test_more_time_for_somebody_is_no_request() -> None:
    minutes = Context("minutes", date(2027, 2, 15), people=PEOPLE)
    assert "request" not in [act for act, _ in read("Otto needs longer, the prow now on 19 Feb", minutes)]


def test_words_to_somebody_are_those_of_the_first_name() -> None:
    (block,) = note_blocks("- Lena to Otto: I'll label the boxes by Friday")
    assert block.lead is not None
    assert block.lead.name == "Lena"


@pytest.mark.parametrize(
    ("party", "short"),
    [
        ("Tadeusz Wrona <tadek@b.example>", "Tadek"),
        ("Katherine Moss <kathy@b.example>", "Kathy"),
        ("Priya Raman <priya@b.example>", None),
        ("Marta Rossi <marossi@b.example>", None),
        ("Marta Rossi <marketing@b.example>", None),
        ("Tadeusz <tadek@b.example>", None),
        ("Tadeusz Wrona <t.wrona@b.example>", None),
    ],
)
def test_a_short_name_is_read_off_an_address_that_begins_like_the_first_name(party: str, short: str | None) -> None:
    found = parse_party(party)
    assert found is not None
    assert short_name_in_address(found) == short


@pytest.mark.parametrize(
    "text", ["Also he'd rather have oak than pine.", "she prefers tea", "the oat one is his favourite"]
)
def test_what_somebody_prefers_is_not_the_speakers(text: str) -> None:
    assert "preference" not in [act for act, _ in read(text)]


def test_what_he_prefers_is_of_the_person_named_before() -> None:
    clauses = read_block("Otto Brix rang. He'd rather have oak than pine.", MINUTES)
    assert [each.doer.name for each in clauses if each.act == "preference" and each.doer] == ["Otto Brix"]


def test_telling_somebody_about_a_promise_completes_nothing() -> None:
    assert "completion" not in [act for act, _ in read("i told Otto he gets the samples from me by the 20th")]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("CR would rather do earlies all summer", "CR"),
        ("Wim hates the spinnaker", "Wim"),
        ("We'd rather have tea", None),
        ("I'd rather go by train", None),
    ],
)
def test_a_preference_told_of_somebody_else_is_not_the_authors(text: str, name: str | None) -> None:
    assert read(text) == [("preference", name)]


@pytest.mark.parametrize(
    "text",
    [
        "Perl was replaced by Python.",
        "The old pipeline was replaced by OpenTofu.",
        "The oil boiler was replaced by Daikin heat pumps.",
    ],
)
def test_a_tool_that_took_the_place_of_another_has_done_nothing(text: str) -> None:
    assert "completion" not in [act for act, _ in read(text)]


@pytest.mark.parametrize("text", ["The fuse was replaced by Otto.", "The report was sent by Nora Falk on Monday."])
def test_a_person_who_did_it_is_named_behind_by(text: str) -> None:
    [(act, name)] = read(text)
    assert (act, name in ("Otto", "Nora Falk")) == ("completion", True)


@pytest.mark.parametrize("text", ["The invoice was paid by DHL.", "The letter was sent by Bosch staff."])
def test_an_abbreviation_or_a_noun_behind_by_names_no_person(text: str) -> None:
    assert read(text) == [("completion", None)]


@pytest.mark.parametrize(
    "text",
    [
        "Alice reports to Robert since the reorg in May.",
        "Bea teaches in Room 4 since her move in March.",
        "Hana rents the studio until August.",
        "Halden AG pays within 45 days.",
        "Norrvik ships orders within 3 days.",
    ],
)
def test_what_lasts_or_is_a_rule_is_no_promise(text: str) -> None:
    assert "commitment" not in [act for act, _ in read(text, Context("note", date(2026, 11, 19)))]


@pytest.mark.parametrize(
    "text", ["Zoe pays the deposit on Monday.", "Lena sends the plan since Otto asked on Tuesday."]
)
def test_what_somebody_does_on_a_day_ahead_is_a_promise(text: str) -> None:
    assert "commitment" in [act for act, _ in read(text, Context("note", date(2026, 11, 19)))]


def test_who_stays_with_us_is_no_decision() -> None:
    assert "decision" not in [act for act, _ in read("Kim stays with us until Sunday.")]
    assert "decision" not in [act for act, _ in read("My aunt stays in Lyon.")]
    assert "decision" in [act for act, _ in read("The office stays in Kyiv.")]


def test_who_names_a_job_promises_nothing() -> None:
    assert "commitment" not in [act for act, _ in read("I was glad to leave my job.")]
    assert "commitment" in [act for act, _ in read("the gutters: my job")]

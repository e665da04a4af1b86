"""Clauses without a cue, read by the sentence reader, and what rules keep from it."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from recollect.importers.notes import import_notes
from recollect.ingest.extract import rules
from recollect.ingest.extract.model_readings import read_by_model
from recollect.ingest.extract.text_facts import CLAUSES_FOR_MODEL
from recollect.memory import Memory
from recollect.reading.clause_time import with_following_deadlines
from recollect.reading.context import Context, Person
from recollect.reading.reader import read_block
from recollect.settings import Settings
from recollect.text_models import pair_model
from recollect.text_models.pair_model import READING, LocalSentenceReader, PairModel, TokenPair, reader_for
from recollect.text_models.sentence import ACTS, SentenceAct, SentenceInput, SentenceReading

PEOPLE = (Person("Lena Marsh", ("Lena",)), Person("Otto Brix", ("Otto",)))
MAIL = Context("mail", date(2027, 2, 15), speaker=PEOPLE[0], addressees=(PEOPLE[1],), people=PEOPLE)
NOTE = Context("note", date(2027, 2, 15), speaker=Person("Ada Holm"), people=PEOPLE)
MINUTES = Context("minutes", date(2027, 2, 15), speaker=Person("Ada Holm"), people=PEOPLE)
CHAT = Context("chat", date(2027, 2, 15), speaker=Person("Ada Holm"), people=PEOPLE)


class FakeReader:
    """Says the same of every sentence and remembers what it was asked."""

    model = "fake"

    def __init__(self, act: SentenceAct, share: float = 0.9) -> None:
        self.act: SentenceAct = act
        self.share = share
        self.asked: list[str] = []

    def read(self, sentences: Sequence[SentenceInput]) -> list[SentenceReading]:
        self.asked += [each.text for each in sentences]
        shares = tuple(self.share if each == self.act else 0.0 for each in ACTS)
        return [SentenceReading(self.act, self.share, True, self.model, shares) for _ in sentences]


def acts(text: str, context: Context, act: SentenceAct) -> list[tuple[str | None, str | None]]:
    """The act of each clause, and whose it is by name."""
    found = read_by_model(read_block(text, context), context, FakeReader(act))
    return [(each.act, each.doer.name if each.doer else None) for each in found]


def test_a_clause_without_a_cue_gets_act_owner_and_time() -> None:
    [found] = read_by_model(read_block("Otto on the ladders by Friday", NOTE), NOTE, FakeReader("commitment"))
    assert (found.act, found.doer and found.doer.name, found.decided_by) == ("commitment", "Otto", "fake")
    assert found.time.until == date(2027, 2, 19)


@pytest.mark.parametrize(
    "text",
    [
        "Brendan will send the chart by Friday, he told me",
        "Fergal promised me the chart",
        "Nora said she will mend the nets",
    ],
)
def test_a_promise_of_somebody_named_first_is_theirs(text: str) -> None:
    assert acts(text, MAIL, "commitment") == [("commitment", text.split()[0])]


@pytest.mark.parametrize(
    "text",
    [
        "My sister will collect the hens on Sunday", "The council will repair the pier by December",
        "The plumber reckons he can come round some day",
    ],
)  # fmt: skip
def test_a_promise_of_somebody_described_is_nobodys(text: str) -> None:
    assert [act for act, _ in acts(text, MAIL, "commitment") if act == "commitment"] == []


@pytest.mark.parametrize(
    ("text", "act"), [("I'm not worried about the pier", "concern"), ("The fair isn't called off", "cancellation")]
)
def test_what_a_not_takes_back_stays_taken_back(text: str, act: SentenceAct) -> None:
    assert acts(text, MAIL, act) == [(None, None)]


@pytest.mark.parametrize("text", ["the ladders on Friday?", "maybe the ladders on Friday", "if it rains, the ladders"])
def test_what_is_asked_doubted_or_conditional_is_not_given_to_the_model(text: str) -> None:
    reader = FakeReader("commitment")
    read_by_model(read_block(text, NOTE), NOTE, reader)
    assert reader.asked == []


def test_a_denial_is_no_deed_and_no_promise() -> None:
    assert acts("No ladders on the wall yet.", MAIL, "commitment") == [(None, None)]


def test_whom_a_clause_speaks_to_does_not_do_it() -> None:
    assert acts("Otto, ladders on the wall on Friday", MAIL, "commitment") == [("commitment", "")]


def test_nobody_is_bound_by_a_note_that_names_nobody() -> None:
    assert acts("ladders on the wall", NOTE, "request") == [(None, None)]
    assert acts("ladders on the wall", MINUTES, "commitment") == [(None, None)]
    assert acts("ladders on the wall", CHAT, "request") == [(None, None)]


def test_what_she_does_is_nobodys_where_she_is_unknown() -> None:
    assert acts("she brings the ladders on Friday", NOTE, "commitment") == [(None, None)]


def test_a_deed_that_only_the_model_sees_is_an_event_of_who_did_it() -> None:
    assert acts("ladders on the wall", NOTE, "completion") == [("event", "")]
    assert acts("Otto up on the wall", NOTE, "completion") == [("event", "Otto")]


def test_a_name_without_a_capital_is_known_by_its_verb() -> None:
    assert acts("otto's doing the ladders this week", CHAT, "commitment") == [("commitment", "otto")]
    assert acts("otto's ladders go up this week", CHAT, "commitment") == [("commitment", "")]


def test_what_a_rule_takes_for_a_statement_may_be_more() -> None:
    readings = read_block("tmrw: ladders and paint for room 2", NOTE)
    assert [each.act for each in readings] == ["attribute"]
    assert [each.act for each in read_by_model(readings, NOTE, FakeReader("commitment"))] == ["commitment"]
    assert [each.act for each in read_by_model(readings, NOTE, FakeReader("preference"))] == ["attribute"]


def test_a_plan_in_the_passive_binds_nobody_who_is_not_named() -> None:
    assert acts("The rest of the ladders will get mended later.", MAIL, "commitment") == [(None, None)]


def test_a_fragment_binds_nobody() -> None:
    assert acts("new ladders by Friday", NOTE, "commitment") == [(None, None)]


def test_a_commitment_that_the_model_rules_out_is_dropped() -> None:
    readings = read_block("I will send the plan.", MAIL)
    assert [each.act for each in readings] == ["commitment"]
    assert [each.act for each in read_by_model(readings, MAIL, FakeReader("none"))] == [None]


def test_a_request_that_the_model_rules_out_is_dropped_and_others_stay() -> None:
    readings = read_block("Please send the plan.", MAIL)
    assert [each.act for each in readings] == ["request"]
    assert [each.act for each in read_by_model(readings, MAIL, FakeReader("none"))] == [None]
    assert [each.act for each in read_by_model(readings, MAIL, FakeReader("request"))] == ["request"]


@pytest.mark.parametrize(
    ("text", "act", "is_kept"),
    [
        ("Send the list to Otto.", "request", False),
        ("Please send the list to Otto.", "request", True),
        ("I'd rather have the blue one.", "preference", False),
    ],
)
def test_a_cue_that_says_little_is_doubted_sooner(text: str, act: SentenceAct, is_kept: bool) -> None:
    [by_rules] = read_block(text, MAIL)
    assert by_rules.act == act
    [found] = read_by_model([by_rules], MAIL, FakeReader(act, 0.2))
    assert (found.act == act) is is_kept


def test_a_completion_that_the_model_doubts_is_told_as_an_event() -> None:
    readings = read_block("I sent the plan.", MAIL)
    [doubted] = read_by_model(readings, MAIL, FakeReader("none"))
    assert (doubted.act, doubted.fact_type) == ("completion", "event")


@pytest.mark.parametrize(
    ("sentence", "act"),
    [
        (SentenceInput("Signed waivers back to me by 3 May", "mail"), "request"),
        (SentenceInput("Pernille drives the samples over on Monday", "note"), "commitment"),
        (SentenceInput("Hope you had a lovely weekend!", "mail"), "none"),
        (SentenceInput("haha brilliant", "chat", "I fell into the pond", before_by_other=True), "none"),
    ],
)
def test_the_bundled_reader_reads_plain_sentences(sentence: SentenceInput, act: str) -> None:
    reader = reader_for(Settings())
    assert reader is not None
    [found] = reader.read([sentence])
    assert (found.act, found.model) == (act, READING.name)


def test_the_reader_can_be_switched_off() -> None:
    assert reader_for(Settings(file={"reading.sentence_model": "none"})) is None
    assert isinstance(reader_for(Settings()), LocalSentenceReader)


def test_of_a_very_long_record_the_reader_is_asked_about_the_first_clauses(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = FakeReader("none")
    monkeypatch.setattr(rules, "reader_for", lambda _: reader)
    note = tmp_path / "long.md"
    note.write_text("\n\n".join(f"The lantern of gate {number} shone" for number in range(CLAUSES_FOR_MODEL + 200)))
    import_notes(memory, note)
    assert len(reader.asked) == CLAUSES_FOR_MODEL


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("Please send the plan over. By Friday noon.", date(2027, 2, 19)),
        ("Please send the plan over. It rained by Friday noon on the whole coast.", None),
        ("Please send the plan over by Thursday. By Friday noon.", date(2027, 2, 18)),
    ],
)
def test_a_deadline_by_itself_belongs_to_what_stands_before_it(text: str, until: date | None) -> None:
    first, *_ = with_following_deadlines(read_block(text, MAIL))
    assert (first.act, first.time.until) == ("request", until)


def test_a_text_without_clauses_has_no_deadlines() -> None:
    assert with_following_deadlines(()) == ()


def test_a_clause_that_was_read_before_is_not_given_to_the_model_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[TokenPair] = []
    inputs = pair_model._model_inputs

    def noting(pair: TokenPair) -> object:
        asked.append(pair)
        return inputs(pair)

    monkeypatch.setattr(pair_model, "_model_inputs", noting)
    reader = LocalSentenceReader(PairModel(READING))
    thanks = SentenceInput("thanks a lot for the quick help", "mail")
    first, again = reader.read([thanks, SentenceInput("I will send the plan", "mail")]), reader.read([thanks])
    assert again == first[:1]
    assert len(asked) == 2


def test_a_negation_in_another_language_is_no_preference() -> None:
    french = Context("mail", date(2027, 2, 15), people=PEOPLE, language="fr")
    assert acts("Je ne viendrai pas vendredi", french, "preference") == [(None, None)]


def test_what_somebody_unknown_is_doing_is_their_promise() -> None:
    assert acts("Tomasz is putting the offer together for you", MAIL, "commitment") == [("commitment", "Tomasz")]


@pytest.mark.parametrize("text", ["Asked Ravi", "Told Ravi about the party"])
def test_what_begins_with_a_past_form_asks_for_nothing(text: str) -> None:
    assert "request" not in [act for act, _ in acts(text, MAIL, "request")]

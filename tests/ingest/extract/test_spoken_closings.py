"""Items that the trained matcher sees closed where no rule does, and what its word is not enough for."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

import pytest
from tests.ingest.extract.closing_matchers import ANA, ASKED, LEE, MARCUS, ROSA, EagerMatcher, is_open, reply
from tests.ingest.records import Reading, email, everything

from recollect.memory import Memory
from recollect.model.fact import DECIDED_BY
from recollect.settings import Settings
from recollect.text_models.closure import ClosurePair, ClosureReading, LaterMessage, OpenItem, Outcome
from recollect.text_models.pair_model import LocalClosureMatcher, matcher_for
from recollect.write.owner import apply_owner_settings

pytestmark = pytest.mark.usefixtures("eager_matcher")


def test_a_text_that_no_rule_reads_closes_an_item_and_is_its_evidence(read: Reading) -> None:
    read(ASKED, reply("Shuts like a dream now."))
    assert not is_open(read.memory)
    [report] = [each.fact for each in everything(read.memory) if DECIDED_BY in each.fact.attributes]
    assert (report.predicate, report.words) == ("event", "Lee Park: Shuts like a dream now.")


def test_a_late_item_is_closed_by_a_text_that_came_before_it(read: Reading) -> None:
    read(reply("Shuts like a dream now."))
    read(ASKED)
    assert not is_open(read.memory)


@pytest.mark.parametrize(
    "text",
    [
        "Does it shut now?",
        "I'll look at it tomorrow.",
        "If the hinges come it will shut.",
        "The gate is not mended.",
        "2 of 4 hinges are on.",
        "2 of 4 hinges are on, painted the post.",
        "The gate is not mended, rain stopped me.",
        "The gate team works in three shifts.",
        'Their support wrote "the gate is mended and painted" and closed the matter.',
    ],
)
def test_a_question_plan_condition_denial_or_part_closes_nothing_whatever_the_model_says(
    read: Reading, text: str
) -> None:
    read(ASKED, reply(text))
    assert is_open(read.memory)


@pytest.mark.parametrize(
    "text",
    [
        "The gate was mended yesterday, sounds like velvet.",
        "Hinges fitted, Frau Knobel nearly smiled.",
        "Lee's notes arrived, 11 pages.",
        "You will find photographs of the gate behind the link below, all with dates.",
        "The gate went back up as planned.",
    ],
)
def test_what_else_a_sentence_says_does_not_hide_its_report(read: Reading, text: str) -> None:
    read(ASKED, reply(text))
    assert not is_open(read.memory)


def test_what_rules_take_for_an_answer_closes_nothing_where_the_model_sees_none(
    read: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = reply("I have mended the lower gate of the church.")
    monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: EagerMatcher("unrelated"))
    read(ASKED, done)
    assert is_open(read.memory)
    monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: None)
    read(email("e3", "I mended the lower gate.", "2026-03-13T09:00:00Z", sender=LEE, thread_id="t1"))
    assert not is_open(read.memory)


@pytest.mark.parametrize(
    ("text", "stays_open"),
    [
        ("Mended the gate, no painting until the rain stops.", False),
        ("The gate is back from the smith, half the fence is still down.", False),
        ("Mended the fence, half the wall is gone.", True),
    ],
)
def test_a_part_that_names_the_thing_reports_it_whatever_else_is_not_done(
    read: Reading, text: str, stays_open: bool
) -> None:
    read(ASKED, reply(text))
    assert is_open(read.memory) is stays_open


def test_what_is_undone_in_another_clause_is_another_thing(read: Reading) -> None:
    undone = email("e3", "Roof, no date from the builder, lower gate shuts.", "2026-03-13T09:00:00Z", thread_id="t1")
    read(ASKED, reply("Shuts like a dream now."), undone)
    assert not is_open(read.memory)


def test_what_is_called_undone_and_put_off_at_once_is_put_off(read: Reading, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: EagerMatcher("moved"))
    read(ASKED, reply("The lower gate is not mended yet. It will be on Monday 30 March."))
    assert not is_open(read.memory)


def test_a_person_or_a_common_verb_shared_with_another_item_hides_no_report(
    read: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: EagerMatcher(is_sure_alone=True))
    other = email("e0", "Please tell Lee the price.", "2026-03-10T09:00:00Z", thread_id="t0")
    read(other, ASKED, reply("Told Lee it swings like new."))
    assert not is_open(read.memory)


@pytest.mark.parametrize("text", ["The gate works again.", "The lower gate finally opens."])
def test_what_works_again_is_over(read: Reading, text: str) -> None:
    read(ASKED, reply(text))
    assert not is_open(read.memory)


def test_an_earlier_text_closes_nothing(read: Reading) -> None:
    read(reply("Shuts like a dream now.", "2026-03-10T09:00:00Z"), ASKED)
    assert is_open(read.memory)


def test_what_was_said_before_somebody_calls_the_item_undone_does_not_close_it(read: Reading) -> None:
    undone = email("e3", "The lower gate is still not mended!", "2026-03-13T09:00:00Z", thread_id="t1")
    read(ASKED, reply("Shuts like a dream now."), undone)
    assert is_open(read.memory)


def test_a_sentence_that_has_neither_thing_nor_thread_in_common_closes_nothing(read: Reading) -> None:
    apart = email(
        "e2", "Shuts like a dream now.", "2026-03-12T09:00:00Z", sender=LEE, recipients=[MARCUS], thread_id="t9"
    )
    read(ASKED, apart)
    assert is_open(read.memory)


@dataclass(frozen=True, slots=True)
class SureMatcher(EagerMatcher):
    """Is sure also of texts of other threads, with this probability."""

    probability: float = 0.9

    def read(self, pairs: Sequence[ClosurePair]) -> list[ClosureReading]:
        return [ClosureReading("done", self.probability, True, self.model, True) for _ in pairs]


@pytest.mark.parametrize(
    ("text", "sender", "probability", "is_closed"),
    [
        ("Shuts like a dream now.", LEE, 0.9, True),
        ("Shuts like a dream now.", LEE, 0.7, False),
        ("Shuts like a dream now.", ROSA, 0.9, False),
        ("De krab heb ik gisteren afgemaakt.", LEE, 0.9, False),
        ("De krab heb ik gisteren afgemaakt.", LEE, 0.95, True),
        ("Lower gate shuts like a dream now.", LEE, 0.7, True),
    ],
)
def test_a_text_of_another_thread_without_the_thing_closes_only_what_is_surely_its_authors(
    read: Reading, monkeypatch: pytest.MonkeyPatch, text: str, sender: str, probability: float, is_closed: bool
) -> None:
    monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: SureMatcher(probability=probability))
    read(ASKED, email("e2", text, "2026-03-12T09:00:00Z", sender=sender, recipients=[MARCUS], thread_id="t9"))
    assert is_open(read.memory) is not is_closed


@pytest.mark.parametrize("text", ["Mr Webb", "L. Park", "Marcus,"])
def test_a_salutation_or_signature_closes_nothing(read: Reading, text: str) -> None:
    read(ASKED, reply(f"{text}\n\nIs it still raining over there?"))
    assert is_open(read.memory)


def test_a_name_that_both_have_is_not_the_thing(read: Reading, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: SureMatcher(probability=0.7))
    read(
        email("e1", "I'll get a price off Lenihan for the wheelwash by Friday.", "2026-03-11T09:00:00Z"),
        email("e2", "Lenihan came, roof's on.", "2026-03-12T09:00:00Z", sender=LEE, thread_id="t9"),
    )
    assert all(not each.fact.stale for each in everything(read.memory) if "wheelwash" in (each.fact.words or ""))


@dataclass(frozen=True, slots=True)
class ListeningMatcher(EagerMatcher):
    """Remembers the texts it is asked about."""

    outcome: Outcome = "unrelated"
    heard: list[str] = field(default_factory=list)

    def read(self, pairs: Sequence[ClosurePair]) -> list[ClosureReading]:
        self.heard.extend(each.message.text for each in pairs)
        return EagerMatcher.read(self, pairs)


@pytest.mark.parametrize("lines", ["deposit fine\nkeys with Jo\nvan on the drive", "- deposit fine\n- keys with Jo"])
def test_each_line_of_a_list_in_a_mail_is_a_text_of_its_own(
    read: Reading, monkeypatch: pytest.MonkeyPatch, lines: str
) -> None:
    matcher = ListeningMatcher()
    monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: matcher)
    read(ASKED, reply(f"It was a long week. We are all tired.\n\n{lines}\n\nMore soon. Bye."))
    told = lines.replace("- ", "").splitlines()
    assert matcher.heard == ["It was a long week.", "We are all tired.", *told, "More soon.", "Bye."]


def test_the_nearest_items_of_a_whole_mail_are_compared_not_the_first(
    read: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    matcher = ListeningMatcher()
    monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: matcher)
    things = ("lower gate", "red boat", "old crane", "north wall", "long ladder", "blue van", "wet cellar")
    asked = email("e1", "\n".join(f"Please mend the {each} by Friday." for each in things), thread_id="t1")
    read(asked, reply("- long day\n- cold too\n- rain all week\n- snow at night\n- the cellar smells of paint"))
    assert (len(matcher.heard), "the cellar smells of paint" in matcher.heard) == (32, True)


PROMISED = "I'll pay Lee for the paint by Friday."


@pytest.mark.parametrize(
    ("sender", "is_closed"),
    [
        pytest.param(LEE, True, id="whom it was promised to"),
        pytest.param(ANA, False, id="somebody known whom it does not name"),
        pytest.param("Lee Park <lee@stone.example>", False, id="a stranger under the same name"),
    ],
)
def test_what_the_owner_promised_is_acknowledged_by_whom_it_was_for(
    read: Reading, sender: str, is_closed: bool
) -> None:
    with read.memory.write() as change:
        change.put_setting("me.name", "Marcus Webb")
        change.put_setting("me.emails", "marcus@harrow-bridge.example")
        apply_owner_settings(change)
    read(email("e1", PROMISED, "2026-03-11T09:00:00Z", recipients=[LEE, ANA], thread_id="t1"))
    said = "The money came this morning."
    read(email("e2", said, "2026-03-12T09:00:00Z", sender=sender, recipients=[MARCUS], thread_id="t1"))
    [promise] = [each.fact for each in everything(read.memory) if each.fact.words == f"Marcus Webb: {PROMISED}"]
    assert promise.stale is is_closed


def test_a_report_that_may_not_close_does_not_stand_before_one_that_may(read: Reading) -> None:
    with read.memory.write() as change:
        change.put_setting("me.name", "Marcus Webb")
        change.put_setting("me.emails", "marcus@harrow-bridge.example")
        apply_owner_settings(change)
    said = "The money came this morning."
    read(
        email("e1", PROMISED, "2026-03-11T09:00:00Z", recipients=[LEE, ANA], thread_id="t1"),
        email("e2", said, "2026-03-12T09:00:00Z", sender=ANA, recipients=[MARCUS], thread_id="t1"),
        email("e3", said, "2026-03-13T09:00:00Z", sender=LEE, recipients=[MARCUS], thread_id="t1"),
    )
    [promise] = [each.fact for each in everything(read.memory) if each.fact.words == f"Marcus Webb: {PROMISED}"]
    assert promise.stale


@pytest.mark.parametrize(
    ("sender", "is_closed"),
    [
        pytest.param(ANA, True, id="somebody the owner writes to"),
        pytest.param("Rex Holt <rex@stone.example>", False, id="a stranger"),
    ],
)
def test_somebody_known_may_report_on_a_thing_that_they_name(
    read: Reading, monkeypatch: pytest.MonkeyPatch, sender: str, is_closed: bool
) -> None:
    matcher = EagerMatcher(is_sure_alone=True)
    monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: matcher)
    with read.memory.write() as change:
        change.put_setting("me.name", "Marcus Webb")
        change.put_setting("me.emails", "marcus@harrow-bridge.example")
        apply_owner_settings(change)
    promised = "I'll order the sailor caps by Friday."
    read(email("e1", promised, "2026-03-11T09:00:00Z", recipients=[LEE, ANA], thread_id="t1"))
    said = email("e2", "The sailor caps were delivered.", "2026-03-12T09:00:00Z", sender=sender, recipients=[MARCUS])
    read(said)
    [promise] = [each.fact for each in everything(read.memory) if each.fact.words == f"Marcus Webb: {promised}"]
    assert promise.stale is is_closed


def test_a_day_without_a_year_does_not_make_a_report_old(read: Reading) -> None:
    read(ASKED, reply("The lower gate is mended, the smith confirmed 31 July for the upper one."))
    assert not is_open(read.memory)


@pytest.mark.parametrize(
    ("said", "due"),
    [
        ("For the gate it is rather Monday 23 March.", "2026-03-23"),
        ("For the gate it is rather Thursday 12 March.", "2026-03-13"),
        ("For the gate it is rather later.", "2026-03-13"),
    ],
)
def test_an_item_is_put_off_to_a_later_day_that_the_sentence_names(
    read: Reading, monkeypatch: pytest.MonkeyPatch, said: str, due: str
) -> None:
    monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: EagerMatcher("moved"))
    read(ASKED, reply(said, "2026-03-11T15:00:00Z"))
    facts = [each.fact for each in everything(read.memory) if each.fact.predicate == "request"]
    assert [str(each.valid_until) for each in facts if not each.stale] == [due]


@dataclass(frozen=True, slots=True)
class UnsureMatcher(EagerMatcher):
    """Guesses an outcome without being sure."""

    def read(self, pairs: Sequence[ClosurePair]) -> list[ClosureReading]:
        return [ClosureReading(self.outcome, 0.9, False, self.model, False) for _ in pairs]


@pytest.mark.parametrize(
    ("said", "due"),
    [
        ("You can have until Monday 23 March for the gate.", "2026-03-23"),
        ("The gate has been pushed back to Monday 23 March.", "2026-03-23"),
        ("We come for the gate on Monday 23 March instead.", "2026-03-23"),
        ("Monday 23 March is fine for the gate.", "2026-03-23"),
        ("The fair comes to the gate on Monday 23 March.", "2026-03-13"),
    ],
)
def test_a_guess_that_an_item_is_put_off_counts_where_the_words_say_so(
    read: Reading, monkeypatch: pytest.MonkeyPatch, said: str, due: str
) -> None:
    monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: UnsureMatcher("moved"))
    read(ASKED, email("e2", said, "2026-03-11T15:00:00Z", sender=MARCUS, recipients=[LEE], thread_id="t1"))
    facts = [each.fact for each in everything(read.memory) if each.fact.words and "lower gate" in each.fact.words]
    assert [str(each.valid_until) for each in facts if not each.stale and each.predicate == "request"] in (
        [due],
        [] if due != "2026-03-13" else [due],
    )


def test_what_was_closed_before_is_no_reason_to_leave_another_item_open(
    read: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: EagerMatcher(is_sure_alone=True))
    tested = email("e0", "I'll test the water of the pool on Monday.", "2026-03-06T09:00:00Z", sender=LEE)
    done = email("e3", "Tested the water of the pool.", "2026-03-09T09:00:00Z", sender=LEE, thread_id="t3")
    promised = email("e4", "The swap is dear, I'll do it on Wednesday.", "2026-03-10T09:00:00Z", sender=LEE)
    read(tested, done)
    read(promised)
    read(email("e5", "Lee did the filter, the water is like silk.", "2026-03-12T09:00:00Z", sender=MARCUS))
    [swap] = [each.fact for each in everything(read.memory) if "do it" in (each.fact.words or "")]
    assert swap.stale


def test_an_item_is_found_by_the_name_of_who_owes_it(read: Reading, monkeypatch: pytest.MonkeyPatch) -> None:
    matcher = ListeningMatcher()
    monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: matcher)
    read(email("e1", "I'll send the drawings on Friday.", "2026-03-11T09:00:00Z", sender=LEE, recipients=[ANA]))
    read(
        email("e2", "Lee's parcel came.", "2026-03-14T09:00:00Z", sender=MARCUS, recipients=["Rex <rex@stone.example>"])
    )
    assert "Lee's parcel came." in matcher.heard


QUOTE = OpenItem(
    "request", "Could you send me the quote for the rigging?", "Ruth", "Deniz", date(2025, 3, 4), date(2025, 3, 7)
)


@pytest.mark.parametrize(
    ("text", "is_closed"),
    [
        ("Got it, thanks, that is within budget.", True),
        ("6,850 plus tax, all in, see the PDF.", True),
        ("Forget about it, no longer needed.", True),
        ("The soup was very good yesterday.", False),
        ("I have not got round to it yet.", False),
        ("Still waiting for the part.", False),
    ],
)
def test_the_bundled_model_tells_reports_from_other_words(text: str, is_closed: bool) -> None:
    matcher = matcher_for(Settings())
    assert matcher is not None
    [reading] = matcher.read([ClosurePair(QUOTE, LaterMessage(text, "Ruth", "asker", "owner", date(2025, 3, 6)))])
    assert (reading.outcome in ("done", "cancelled") and reading.is_sure) is is_closed


def test_the_matcher_can_be_switched_off() -> None:
    assert matcher_for(Settings(file={"reading.closing_model": "none"})) is None
    assert isinstance(matcher_for(Settings()), LocalClosureMatcher)


def is_asked(memory: Memory) -> bool:
    """Whether the request to know by Friday is still open."""
    return next(not each.fact.stale for each in everything(memory) if "need to know" in str(each.fact.words))


@pytest.mark.parametrize(
    ("told", "stays_open"),
    [
        ("Wait. But I want four of them this month.", False),
        ("Let me ask Rosa first.", True),
        ("I'll tell you tomorrow.", True),
        ("Hi Marcus,\n\nSure thing.\n\nLee", True),
        ("Got it, thanks!", True),
        ("Why the rush?", True),
    ],
)
def test_the_next_message_of_who_is_asked_for_an_answer_is_the_answer(
    read: Reading, monkeypatch: pytest.MonkeyPatch, told: str, stays_open: bool
) -> None:
    monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: EagerMatcher("unrelated"))
    question = "The forks are late again, cancel or wait? I need to know by Friday."
    read(email("e1", question, "2026-03-11T09:00:00Z", thread_id="t1"), reply(told))
    assert is_asked(read.memory) is stays_open


def test_somebody_else_in_the_thread_gives_no_answer(read: Reading, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: EagerMatcher("unrelated"))
    read(
        email("e1", "I need to know by Friday.", "2026-03-11T09:00:00Z", thread_id="t1"),
        email("e3", "Wait. That is fine.", "2026-03-12T09:00:00Z", sender=MARCUS, recipients=[LEE], thread_id="t1"),
    )
    assert is_asked(read.memory)


@dataclass(frozen=True, slots=True)
class MatcherOfOneItem(EagerMatcher):
    """Sees the items done whose text has a word, and no other."""

    word: str = ""

    def read(self, pairs: Sequence[ClosurePair]) -> list[ClosureReading]:
        done = ClosureReading("done", 0.99, True, self.model, True)
        unrelated = ClosureReading("unrelated", 0.99, False, self.model)
        return [done if self.word in each.item.text else unrelated for each in pairs]


@pytest.mark.parametrize(("word", "stays_open"), [("swap", False), ("", True)])
def test_an_item_with_more_words_of_a_report_hides_another_unless_the_matcher_sees_it_unrelated(
    read: Reading, monkeypatch: pytest.MonkeyPatch, word: str, stays_open: bool
) -> None:
    monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: MatcherOfOneItem(word=word))
    read(email("e0", "I'll test the water of the pool on Monday.", "2026-03-06T09:00:00Z", sender=LEE))
    read(email("e4", "The swap is dear, I'll do it on Wednesday.", "2026-03-10T09:00:00Z", sender=LEE))
    read(email("e5", "Lee did the filter, the water is like silk.", "2026-03-12T09:00:00Z", sender=MARCUS))
    [swap] = [each.fact for each in everything(read.memory) if "do it" in (each.fact.words or "")]
    assert swap.stale is not stays_open

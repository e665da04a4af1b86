"""Items that are closed by a person, a day or a twin in common, and what only looks like their closing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.ingest.extract.closing_matchers import ANA, LEE, MARCUS, EagerMatcher
from tests.ingest.records import Json, Reading, email, everything

from recollect.memory import Memory
from recollect.text_models.closure import ClosurePair, ClosureReading, Outcome

Matching = Callable[[EagerMatcher], None]


@pytest.fixture
def read(memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reading:
    monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: None)
    return Reading(memory, tmp_path / "records.jsonl")


@pytest.fixture
def matching(monkeypatch: pytest.MonkeyPatch) -> Matching:
    return lambda matcher: monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: matcher)


@dataclass(frozen=True, slots=True)
class WordMatcher(EagerMatcher):
    """Says the outcome of pairs whose text has a word, with a probability; all others are unrelated."""

    word: str = ""
    probability: float = 0.9

    def read(self, pairs: Sequence[ClosurePair]) -> list[ClosureReading]:
        return [
            ClosureReading(self.outcome, self.probability, True, self.model, self.is_sure_alone)
            if self.word in each.message.text
            else ClosureReading("unrelated", 0.99, False, self.model)
            for each in pairs
        ]


def mail(key: str, content: str, day: int, sender: str = LEE, to: str = MARCUS, thread: str = "t9") -> Json:
    return email(key, content, f"2026-03-{day}T09:00:00Z", sender=sender, recipients=[to], thread_id=thread)


def asked(content: str, day: int = 11, thread: str = "t1") -> Json:
    return mail("e1", content, day, MARCUS, LEE, thread)


def open_items(memory: Memory) -> list[str]:
    found = [each.fact for each in everything(memory) if each.fact.fact_type in ("commitment", "request")]
    return [str(each.words).partition(": ")[2] for each in found if not each.stale]


def test_what_is_called_off_may_lie_ahead(read: Reading, matching: Matching) -> None:
    matching(EagerMatcher("cancelled"))
    read(asked("Please mend the lower gate by Friday 20 March."))
    read(mail("e2", "The visit tomorrow is cancelled.", 19, thread="t1"))
    assert open_items(read.memory) == []


@pytest.mark.parametrize(("day", "is_open"), [("the 20th", False), ("the 27th", True)])
def test_who_owes_an_item_and_its_day_are_enough_to_name_it(
    read: Reading, matching: Matching, day: str, is_open: bool
) -> None:
    matching(WordMatcher("cancelled", is_sure_alone=True, word="fiddler", probability=0.6))
    read(mail("e1", "We'll play at yours on Friday 20 March, two sets.", 11))
    read(mail("e2", f"Lee texted: the fiddler is ill, so no music on {day}.", 13, ANA, MARCUS, "t7"))
    assert bool(open_items(read.memory)) is is_open


@pytest.mark.parametrize(("probability", "day", "is_open"), [(0.95, 21, False), (0.9, 21, True), (0.95, 12, True)])
def test_a_text_that_shares_nothing_closes_what_is_due_about_then_if_it_is_as_sure_as_can_be(
    read: Reading, matching: Matching, probability: float, day: int, is_open: bool
) -> None:
    matching(WordMatcher(is_sure_alone=True, word="swings", probability=probability))
    read(asked("Please mend the lower gate by Friday 20 March."))
    read(mail("e2", "Was fitted on Friday, swings like new.", day, MARCUS, LEE))
    assert bool(open_items(read.memory)) is is_open


def test_a_note_of_what_somebody_asked_for_is_closed_with_it(read: Reading) -> None:
    read(asked("Please send me the roof survey by Friday."))
    read(mail("e2", "I'll send Marcus the roof survey by Friday 13 March.", 11, LEE, ANA, "t5"))
    assert len(open_items(read.memory)) == 2
    read(mail("e3", "Sent, see attached.", 12, thread="t1"))
    assert open_items(read.memory) == []


def test_two_things_for_one_day_are_no_twins(read: Reading) -> None:
    read(asked("Please send me the roof survey by Friday."))
    read(mail("e2", "I'll send Ana the roof tiles by Friday 13 March.", 11, LEE, ANA, "t5"))
    read(mail("e3", "Sent, see attached.", 12, thread="t1"))
    assert len(open_items(read.memory)) == 1


def test_what_was_put_off_is_closed_by_a_text_that_came_before_the_delay_was_read(
    read: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    @dataclass(frozen=True, slots=True)
    class Telling(EagerMatcher):
        def read(self, pairs: Sequence[ClosurePair]) -> list[ClosureReading]:
            said: list[Outcome] = ["moved" if "Monday" in each.message.text else "done" for each in pairs]
            return [ClosureReading(each, 0.99, True, self.model, True) for each in said]

    monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: Telling())
    read(asked("Please mend the lower gate by Friday."))
    read(
        mail("e2", "The lower gate is not mended yet. It will be on Monday 16 March.", 12, thread="t1"),
        mail("e3", "The lower gate shuts like a dream now.", 16, thread="t1"),
    )
    assert open_items(read.memory) == []


@pytest.mark.parametrize(
    ("text", "is_open"),
    [
        ("The gate is back on its hinges (the latch is NOT).", False),
        ("The gate is NOT mended (the latch is).", True),
        ("Tom says the gate", True),
        ("Opened the gate, closed it again.", True),
    ],
)
def test_what_brackets_deny_is_told_apart_and_what_is_only_said_or_given_up_closes_nothing(
    read: Reading, matching: Matching, text: str, is_open: bool
) -> None:
    matching(EagerMatcher())
    read(asked("Please mend the lower gate by Friday."), mail("e2", text, 12, thread="t1"))
    assert bool(open_items(read.memory)) is is_open


@pytest.mark.parametrize(
    ("answer", "is_open"),
    [("It's Petra driving, a red van.", False), ("Will check who is free.", True), ("Lovely weather.", True)],
)
def test_who_is_asked_for_a_name_answers_with_one(
    read: Reading, matching: Matching, answer: str, is_open: bool
) -> None:
    matching(EagerMatcher("unrelated"))
    read(asked("Please send me the driver's name by Friday."), mail("e2", answer, 12, thread="t1"))
    assert bool(open_items(read.memory)) is is_open


@pytest.mark.parametrize(
    ("item", "is_open"), [("I'll give the bird talk on Friday.", False), ("I'll count the bird boxes by Friday.", True)]
)
def test_a_talk_that_is_off_is_not_all_that_has_its_topic(
    read: Reading, matching: Matching, item: str, is_open: bool
) -> None:
    matching(EagerMatcher("unrelated"))
    read(mail("e1", item, 11), mail("e2", "Lee lost his voice so no bird talk.", 12, MARCUS, LEE, "t1"))
    assert bool(open_items(read.memory)) is is_open


def test_initials_name_who_owes_an_item(read: Reading, matching: Matching) -> None:
    matching(WordMatcher(is_sure_alone=True, word="shelves", probability=0.93))
    read(mail("e1", "Ich hänge die Regale bis Freitag auf.", 11))
    read(mail("e2", "shelves went up on Friday (LP)", 14, MARCUS, LEE, "t7"))
    assert open_items(read.memory) == []


def test_it_in_a_new_promise_means_what_stands_before_it(read: Reading) -> None:
    read(mail("e1", "I'll put up the rabbit fence by Thursday 19 March.", 11))
    read(mail("e0", "I'll paint six signs by Friday 27 March.", 11, thread="t3"))
    read(mail("e2", "Rabbit fence NOT done. I'll do it on Sunday 22 March instead.", 18, thread="t4"))
    assert [each for each in open_items(read.memory) if "19 March" in each] == []

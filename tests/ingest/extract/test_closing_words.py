"""What words of a report do whatever the matcher says: they hand over, release, give a number or tell of a part."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from tests.ingest.extract.closing_matchers import ASKED, LEE, MARCUS, ROSA, EagerMatcher, is_open, reply
from tests.ingest.records import Json, Reading, email, everything

from recollect.text_models.closure import ClosurePair, ClosureReading, Outcome

BOTH = email("e1", "Please send us the wiring plan and the permit by Friday.", "2026-03-11T09:00:00Z", thread_id="t1")

RADIOS = email("e1", "Please repair the radios by Friday.", "2026-03-11T09:00:00Z", thread_id="t1")


pytestmark = pytest.mark.usefixtures("eager_matcher")


@pytest.mark.parametrize(
    ("text", "stays_open"),
    [
        ("You will find the gate report below.", False),
        ("Please find the gate report attached.", False),
        ("The rest of the gate went up at noon.", False),
        ("The rest of the gate is on Monday.", True),
        ("The gate shuts again and nobody will ever know.", False),
    ],
)
def test_what_is_handed_over_or_finished_is_done(read: Reading, text: str, stays_open: bool) -> None:
    read(ASKED, reply(text))
    assert is_open(read.memory) is stays_open


@dataclass(frozen=True, slots=True)
class ItemListener(EagerMatcher):
    """Remembers the items it is asked about."""

    outcome: Outcome = "unrelated"
    heard: set[str] = field(default_factory=set)

    def read(self, pairs: Sequence[ClosurePair]) -> list[ClosureReading]:
        self.heard.update(each.item.text for each in pairs)
        return EagerMatcher.read(self, pairs)


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        (
            "The feed sacks are nearly gone. Please order some by Friday.",
            "The feed sacks are nearly gone. Please order",
        ),
        ("The ewes are fine. Please order feed sacks by Friday.", "Please order feed sacks"),
    ],
)
def test_an_item_that_points_at_a_thing_is_read_with_the_sentence_before_it(
    read: Reading, monkeypatch: pytest.MonkeyPatch, said: str, heard: str
) -> None:
    matcher = ItemListener()
    monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: matcher)
    read(email("e1", said, "2026-03-11T09:00:00Z", thread_id="t1"))
    read(email("e2", "Feed sacks came, 200 of them.", "2026-03-12T09:00:00Z", sender=LEE, recipients=[ROSA]))
    [text] = matcher.heard
    assert text.strip().startswith(heard)


@pytest.mark.parametrize(
    ("text", "is_closed"),
    [
        ("Please don't order the tarpaulins, the farm has forty.", True),
        ("No need to order tarpaulins, the barn is dry.", True),
        ("No tarpaulins needed, the barn is dry.", True),
        ("Tarpaulins are not needed any more.", True),
        ("Don't bother with the tarpaulins.", True),
        ("The tarpaulins we don't need any more.", True),
        ("ok, those tarpaulins u can forget about", True),
        ("The tarpaulins we don't need to see.", False),
        ("Please don't fold the tarpaulins wet.", False),
        ("Please don't forget to order the tarpaulins.", False),
        ("Please don't order the tarpaulins before Tuesday.", False),
        ("Don't order the ropes, tarpaulins are dear enough.", False),
        ("Don't we need to order the tarpaulins?", False),
        ("If it stays dry we don't need to order tarpaulins.", False),
    ],
)
def test_an_order_not_to_do_something_releases_from_it(
    read: Reading, monkeypatch: pytest.MonkeyPatch, text: str, is_closed: bool
) -> None:
    monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: EagerMatcher("unrelated"))
    read(email("e1", "Please order 12 tarpaulins from Sailcraft by Friday.", "2026-03-11T09:00:00Z", thread_id="t1"))
    read(email("e2", text, "2026-03-12T09:00:00Z", sender=MARCUS, recipients=[LEE], thread_id="t2"))
    items = [each.fact for each in everything(read.memory) if "Sailcraft" in (each.fact.words or "")]
    assert [each.stale for each in items] == [is_closed]


@pytest.mark.parametrize(
    ("asked", "answer", "is_closed"),
    [
        ("Can you send me a price for the hall by Friday?", "For the whole evening 640, piano included.", True),
        ("Please tell me how many chairs you need by Friday.", "Make it 48.", True),
        ("Can you send me a price for the hall by Friday?", "The piano is tuned at 9:30 on 14 March.", False),
        ("Can you send me a price for the hall by Friday?", "I'll ask the sexton, the 2 of us meet on Monday.", False),
        ("Please sweep the hall by Friday.", "For the whole evening 640, piano included.", False),
    ],
)
def test_a_number_in_the_next_message_answers_what_asks_for_one(
    read: Reading, monkeypatch: pytest.MonkeyPatch, asked: str, answer: str, is_closed: bool
) -> None:
    monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: EagerMatcher("unrelated"))
    read(email("e1", asked, "2026-03-11T09:00:00Z", thread_id="t1"))
    read(reply(f"Hello Marcus. {answer}"))
    [item] = [
        each.fact
        for each in everything(read.memory)
        if "hall" in (each.fact.words or "") or "chairs" in (each.fact.words or "")
    ]
    assert item.stale is is_closed


@pytest.mark.parametrize(
    ("asked", "said", "stays_open"),
    [
        (BOTH, "The wiring plan came.", True),
        (BOTH, "The wiring plan and the permit came.", False),
        (ASKED, "Rang the smith about the gate. Voicemail.", True),
        (ASKED, "The gate was for today. Nothing.", True),
        (ASKED, "The hinges came. The gate didn't.", True),
        (ASKED, "The hinges came, with the gate to follow.", True),
        (ASKED, "The hinges came and the gate shuts.", False),
        (RADIOS, "Radio 6 is back, 11 isn't.", True),
        (RADIOS, "Two radios are back, third one due Tuesday.", True),
        (RADIOS, "The radios are back, the chargers aren't.", False),
    ],
)
def test_a_part_or_what_is_taken_back_right_behind_closes_nothing(
    read: Reading, asked: Json, said: str, stays_open: bool
) -> None:
    read(asked, reply(said))
    items = [each.fact for each in everything(read.memory) if each.fact.predicate == "request"]
    assert [not each.stale for each in items] == [stays_open]

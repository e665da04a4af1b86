"""Reports of another thing of the same kind close and move nothing."""

import pytest

from recollect.reason.closures.object_mismatch import are_other_things, has_different_object


@pytest.mark.parametrize(
    ("item", "report"),
    [
        ("I'll fix the front door by 20 October.", "I fixed the back door."),
        ("I'll repair the old card reader.", "The new card reader is here."),
        ("I'll pay the boat survey by Friday.", "The boat report arrived."),
        ("I'll pay the March rent by the 20th.", "I paid the April rent."),
        ("I'll visit the Sligo shop.", "I visited the Clonmel shop."),
        ("I'll pay invoice 4417 by Friday.", "Invoice 4471 is paid."),
        ("I'll deploy version 2.4 tonight.", "I deployed version 2.3."),
        ("I'll finish chapter 4.", "I finished chapter 3 yesterday."),
        ("I'll send Nora the menu.", "I sent Petra the menu."),
        ("I'll order the chairs for Cork.", "I ordered the chairs for Kerry."),
        ("I'll order 40 chairs.", "I ordered 40 tables."),
        ("I'll book the train to Hamburg by Sunday.", "book the dentist"),
        ("I'll paint the long shed and the short shed.", "The long shed is painted."),
        ("can you sign my college form by Friday", "signed Tom's holiday form."),
        ("Ben wants a price on 200 dwarf tulips.", "Invoice attached: 200 bricks."),
    ],
)
def test_a_report_of_another_thing_is_told_apart(item: str, report: str) -> None:
    assert has_different_object(item, report)


@pytest.mark.parametrize(
    ("item", "report"),
    [
        ("I'll fix the front door by 20 October.", "The front door is fixed."),
        ("can you sign my holiday form by Friday", "signed Tom's holiday form."),
        ("Ben wants a price on 200 dwarf tulips.", "Price for the tulips, 200 bulbs: see below."),
        ("I'll photograph the rudder by Friday.", "Rudder pictures are in the shared folder."),
        ("I'll write up the lameness case.", "The lameness report went to Declan."),
        ("I'll call the guild on Monday.", "The guild secretary was out, called again."),
        ("I'll order the new card reader.", "The old card stopped working, reader ordered."),
        ("launch of the Heron on 1 April", "The launch slips to 8 April."),
        ("I'll fix the front door.", "I fixed the door, both hinges."),
        ("I'll pay invoice 4417 by Friday.", "Invoice 4417 paid, 300 euros."),
        ("I'll send Nora the menu.", "Menu sent to Nora and Petra."),
        ("I'll order 40 chairs by 4 May.", "I ordered the 40 chairs on 3 May."),
        ("Ask Mick Pellow's brother to look at it.", "Mick's brother had a look."),
        ("I'll call you on Thursday to go over the cabling.", "Colm called about the cabling."),
        ("DF flush the pump tomorrow", "Deniz flushed the pump."),
        ("I shall have Mr Kershaw look at the gutter before Friday.", "Mr Kershaw has repaired the gutter."),
        ("I'll paint the long shed and the short shed.", "The long and the short shed are painted."),
    ],
)
def test_a_report_of_the_same_thing_is_none_of_another(item: str, report: str) -> None:
    assert not has_different_object(item, report)


def test_items_that_share_only_a_verb_are_about_other_things() -> None:
    assert are_other_things("I'll book a table on Friday", "I'll book a taxi on Saturday")
    assert are_other_things(
        "I'll file the tax return for 2024 by 8 May.", "I'll file the tax return for 2025 by 9 May."
    )
    assert are_other_things("I'll finish the Q3 deck by Friday.", "I'll finish the Q4 deck by Monday.")
    assert not are_other_things("I'll book the hall on Friday", "I'll book the hall on Saturday")

"""Corrections of facts: retracted, ended or changed, with history kept, and undone exactly."""

from typing import Any

import pytest
from tests.conftest import MovingClock
from tests.support.facts import fact, facts_of, take_line, tell, texts
from tests.write.test_undo import state

from recollect.memory import Memory
from recollect.model.fact import Fact
from recollect.model.ids import FactId
from recollect.reason.corrections import (
    AlreadyRetracted,
    Correction,
    CorrectionResult,
    MissingTarget,
    Mode,
    NewTarget,
    SameTarget,
    UnneededTarget,
    correct_fact,
)
from recollect.reason.fact_by_text import FactTextMatch, facts_fitting
from recollect.write.entity_refs import NamedRef, find_or_create
from recollect.write.undo import undo

DAY = "2026-05-20"


def correct(memory: Memory, text: str, mode: Mode, when: str = DAY, **how: Any) -> CorrectionResult:
    """Correct the one fact that a text fits; `value` or `object` as in the tool."""
    with memory.as_actor("recollect", "correct").write() as change:
        found = facts_fitting(change, text).only
        assert found is not None
        target = None
        if "object" in how:
            target = NewTarget(object=find_or_create(change, NamedRef(how["object"])).entity.id)
        elif "value" in how:
            target = NewTarget(literal=how["value"])
        asked = Correction(mode, change.world.read(when), target, how.get("reason"))
        return correct_fact(change, found.fact, asked)


def stored(memory: Memory, id_: FactId) -> Fact:
    with memory.read() as view:
        found = view.fact(id_)
    assert found is not None
    return found


def until(found: Fact) -> str | None:
    return found.valid_until.text if found.valid_until else None


def fitting(memory: Memory, text: str) -> FactTextMatch:
    with memory.read() as view:
        return facts_fitting(view, text)


def test_a_wrong_fact_is_retracted_and_the_reason_is_its_source(memory: Memory) -> None:
    tell(memory, fact("acme-web", "uses", "npm"), id="a", source_at="2026-01-01T00:00:00Z")
    done = correct(memory, "acme-web uses npm", "wrong", reason="it was a typo")
    old = stored(memory, done.after[0])
    assert old.is_retracted
    [shown] = facts_of(memory, "acme-web", every=True)
    assert shown.given == "it was a typo"
    assert texts(memory, "acme-web") == []
    assert texts(memory, "acme-web", as_of=1) == ["acme-web uses npm"]


def test_a_date_as_the_value_corrects_the_time_of_a_birth(memory: Memory) -> None:
    for name, place in (("Hugo Winter", None), ("Lena Ross", "Leeds")):
        take_line(
            memory,
            {"facts": [{"from": name, "to": place, "predicate": "born", "valid_from": "1871", "valid_until": "1871"}]},
        )
        old, new = correct(memory, f"{name} born", "wrong", value="1907-06").after
        born = stored(memory, new)
        assert (born.valid_from and born.valid_from.text, until(born), born.literal) == ("1907-06", "1907-06", None)
        assert born.object == stored(memory, old).object
    with pytest.raises(SameTarget):
        correct(memory, "Hugo Winter born", "wrong", value="1907-06")
    # What is no date is where it was.
    place = correct(memory, "Lena Ross born", "wrong", value="York").after[1]
    assert (stored(memory, place).literal, until(stored(memory, place))) == ("York", "1907-06")


def test_taking_in_the_source_again_does_not_bring_a_wrong_fact_back(memory: Memory) -> None:
    tell(memory, fact("acme-web", "uses", "npm"), id="a", source_at="2026-01-01T00:00:00Z")
    correct(memory, "acme-web uses npm", "wrong")
    tell(
        memory,
        fact("acme-web", "uses", "npm"),
        fact("acme-web", "owner", "Ada"),
        id="a",
        source_at="2026-01-01T00:00:00Z",
    )
    assert texts(memory, "acme-web") == ["acme-web owner Ada"]


def test_a_newer_source_brings_a_wrong_fact_back_under_its_id(memory: Memory, clock: MovingClock) -> None:
    tell(memory, fact("acme-web", "uses", "npm"), id="a", source_at="2026-01-01T00:00:00Z")
    done = correct(memory, "acme-web uses npm", "wrong")
    clock.set("2026-06-01T00:00:00Z")
    tell(memory, fact("acme-web", "uses", "npm"), id="b", source_at="2026-05-30T00:00:00Z")
    assert not stored(memory, done.after[0]).is_retracted


def test_the_right_claim_takes_over_the_bounds_of_a_wrong_one(memory: Memory) -> None:
    tell(memory, fact("Ada", "employee", "Acme", valid_from="2024", valid_until="2025-03"), id="a")
    [ended] = facts_of(memory, "Ada", every=True)
    with memory.write() as change:
        apex = find_or_create(change, NamedRef("Apex")).entity.id
        asked = Correction("wrong", change.world.read(DAY), NewTarget(object=apex))
        done = correct_fact(change, ended.fact, asked)
    new = stored(memory, done.after[1])
    assert new.valid_from is not None
    assert (new.object, new.valid_from.text, until(new), new.label) == (apex, "2024", "2025-03", "AFFILIATED")
    assert new.predicate == ended.fact.predicate


@pytest.mark.parametrize(
    ("when", "end"),
    [("2026-05-20", "2026-05-19"), ("2026-03", "2026-02"), ("2026", "2025"), ("2026-03-01", "2026-02-28")],
)
def test_an_ended_fact_holds_until_the_period_before(memory: Memory, when: str, end: str) -> None:
    tell(memory, fact("Ada", "employee", "Acme", valid_from="2020"), id="a", source_at="2026-05-01T00:00:00Z")
    done = correct(memory, "Ada Acme", "ended", when)
    old = stored(memory, done.after[0])
    assert (until(old), old.stale, old.is_retracted) == (end, False, False)
    assert done.after == (done.before.id,)
    assert texts(memory, "Ada") == []
    assert texts(memory, "Ada", at="2024") == ["Ada employee Acme"]


def test_taking_in_the_source_again_does_not_reopen_an_ended_fact(memory: Memory) -> None:
    tell(memory, fact("acme-web", "uses", "npm"), id="a", source_at="2026-04-01T00:00:00Z")
    done = correct(memory, "acme-web uses npm", "ended", "2026-03-01")
    tell(
        memory,
        fact("acme-web", "uses", "npm"),
        fact("acme-web", "owner", "Ada"),
        id="a",
        source_at="2026-04-01T00:00:00Z",
    )
    assert until(stored(memory, done.after[0])) == "2026-02-28"
    assert texts(memory, "acme-web") == ["acme-web owner Ada"]


def test_an_affiliation_that_began_no_earlier_becomes_stale(memory: Memory) -> None:
    tell(memory, fact("Ada", "employee", "Acme", valid_from=DAY), id="a")
    done = correct(memory, "Ada Acme", "ended")
    old = stored(memory, done.after[0])
    assert (old.stale, until(old), old.replaced_by) == (True, None, None)


def test_an_ended_statement_is_stale_until_a_newer_source_repeats_it(memory: Memory, clock: MovingClock) -> None:
    stated = fact("Ada", "opinion", "Looms", "Ada likes looms", label="ASSERTED")
    tell(memory, stated, id="a", source_at="2026-01-01T00:00:00Z")
    done = correct(memory, "Ada likes looms", "ended")
    assert stored(memory, done.after[0]).stale
    tell(memory, stated, id="b", source_at="2026-02-01T00:00:00Z")
    assert stored(memory, done.after[0]).stale
    clock.set("2026-07-01T00:00:00Z")
    tell(memory, stated, id="c", source_at="2026-06-01T00:00:00Z")
    assert not stored(memory, done.after[0]).stale


def test_a_changed_fact_ends_and_the_new_one_begins(memory: Memory) -> None:
    tell(memory, fact("acme-web", "uses", "npm"), id="a", source_at="2026-01-01T00:00:00Z")
    done = correct(memory, "acme-web uses npm", "changed", object="pnpm", reason="chat")
    old, new = (stored(memory, each) for each in done.after)
    assert until(old) == "2026-05-19"
    assert new.valid_from is not None
    assert new.valid_from.text == DAY
    assert not old.stale
    assert texts(memory, "acme-web") == ["acme-web uses pnpm"]
    assert facts_of(memory, "acme-web")[0].given == "chat"


def test_a_changed_statement_is_superseded(memory: Memory) -> None:
    tell(memory, fact("Ada", "opinion", {"literal": "looms are fine"}, label="ASSERTED"), id="a")
    done = correct(memory, "Ada looms are fine", "changed", value="looms are loud")
    old, new = (stored(memory, each) for each in done.after)
    assert (old.stale, old.replaced_by) == (True, new.id)
    assert new.literal == "looms are loud"


@pytest.mark.parametrize(("value", "predicate"), [(None, "completion"), ("cancelled", "cancellation")])
def test_ending_an_item_records_a_closing_fact_that_supersedes_it(
    memory: Memory, value: str | None, predicate: str
) -> None:
    item = fact(
        "Marcus", "commitment", "Meridian", "Marcus sends the markup", label="ASSERTED", valid_until="2026-06-01"
    )
    tell(memory, item, id="a", source_at="2026-05-01T00:00:00Z")
    given = {} if value is None else {"value": value}
    done = correct(memory, "Marcus sends the markup", "ended", **given)
    old, closing = (stored(memory, each) for each in done.after)
    assert (old.stale, old.replaced_by, closing.predicate) == (True, closing.id, predicate)
    with memory.write() as change:
        undo(change, change.last_tx)
    assert not stored(memory, done.after[0]).stale


def test_a_wrong_alias_is_no_longer_a_name(memory: Memory) -> None:
    take_line(memory, {"facts": [{"from": "Ada", "predicate": "tagged", "to": {"literal": "alias:The Countess"}}]})
    assert texts(memory, "The Countess") == texts(memory, "Ada")
    correct(memory, "Ada alias The Countess", "wrong")
    with memory.read() as view:
        assert view.names_matching("the countess") == []


@pytest.mark.parametrize("policy", ["supersede", "dispute"])
@pytest.mark.parametrize(("mode", "how"), [("wrong", {}), ("ended", {}), ("changed", {"object": "Kent"})])
def test_a_correction_is_undone_exactly(memory: Memory, policy: str, mode: Mode, how: dict[str, Any]) -> None:
    with memory.write() as change:
        change.put_setting("conflict_policy", policy)
    tell(memory, fact("Bob", "guards", "York", predicate="guards", valid_until="2030"), id="a")
    tell(memory, fact("Bob", "guards", "Hull", predicate="guards"), id="b")
    if "object" in how:
        take_line(memory, {"entities": [{"name": how["object"]}]})
    before = state(memory)
    correct(memory, "Bob guards York", mode, "2026-02", **how)
    assert state(memory) != before
    with memory.write() as change:
        undo(change, change.last_tx)
    assert state(memory) == before


def test_corrections_that_make_no_sense_are_refused(memory: Memory) -> None:
    tell(memory, fact("acme-web", "uses", "npm"), id="a")
    with pytest.raises(MissingTarget):
        correct(memory, "acme-web npm", "changed")
    with pytest.raises(UnneededTarget):
        correct(memory, "acme-web npm", "ended", object="pnpm")
    with pytest.raises(SameTarget):
        correct(memory, "acme-web npm", "wrong", object="npm")
    [row] = facts_of(memory, "acme-web")
    correct(memory, "acme-web npm", "wrong")
    with memory.write() as change, pytest.raises(AlreadyRetracted):
        correct_fact(change, stored(memory, row.fact.id), Correction("wrong", change.world.read(DAY)))


def test_a_text_fits_by_subject_and_all_content_words(memory: Memory) -> None:
    tell(memory, fact("acme-web", "uses", "npm"), fact("acme-web", "uses", "pnpm"), fact("beta", "uses", "npm"), id="a")
    assert [row.object_name for row in fitting(memory, "acme-web is using npm").rows] == ["npm"]
    assert len(fitting(memory, "acme-web uses").rows) == 2
    assert fitting(memory, "uses npm").rows == ()
    missed = fitting(memory, "acme-web uses yarn")
    assert missed.rows == ()
    assert {row.subject_name for row in missed.near} == {"acme-web"}


def test_the_exact_text_of_a_fact_wins_over_longer_ones(memory: Memory) -> None:
    facts = [fact("acme-web", "uses", {"literal": value}, predicate="uses") for value in ("npm", "npm 10")]
    tell(memory, *facts, id="a")
    only = fitting(memory, "acme-web uses npm.").only
    assert only is not None
    assert only.fact.literal == "npm"


@pytest.mark.parametrize("text", ["Daan Vos's status is injured", "Daan Vos’s status", "Daan Vos' status is injured."])
def test_a_fact_is_found_whichever_way_the_possessive_is_written(memory: Memory, text: str) -> None:
    tell(memory, fact("Daan Vos", "status", {"literal": "injured"}))
    assert fitting(memory, text).only is not None

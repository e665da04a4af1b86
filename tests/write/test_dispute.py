"""The policy `dispute`: overlapping claims that disagree are both kept and linked."""

from recollect.memory import Memory
from tests.support.facts import facts_of, tell


def rules(who: str, since: str | None, until: str | None = None, **more: object) -> dict[str, object]:
    return {"from": who, "to": "Harrow", "predicate": "rules", "valid_from": since, "valid_until": until, **more}


def test_a_finer_bound_confirms_a_coarser_one(memory: Memory) -> None:
    tell(memory, rules("Mira", "1850", "1871"), id="a")
    tell(memory, rules("Mira", "1850-03", None), id="b")
    [seen] = facts_of(memory, "Mira", every=True)
    assert (str(seen.fact.valid_from), str(seen.fact.valid_until)) == ("1850-03", "1871")


def test_bounds_that_exclude_each_other_are_disputed(memory: Memory) -> None:
    tell(memory, rules("Mira", "1850", "1871"), id="a")
    tell(memory, rules("Mira", "1855", "1871"), id="b")
    found = facts_of(memory, "Mira", every=True)
    assert [seen.fact.disputed for seen in found] == [True, True]
    with memory.read() as view:
        [dispute] = view.disputes()
    assert {dispute.one, dispute.other} == {seen.fact.id for seen in found}


def test_separate_periods_are_no_dispute(memory: Memory) -> None:
    tell(memory, rules("Mira", "1850", "1855"), id="a")
    tell(memory, rules("Mira", "1860", "1871"), id="b")
    assert [seen.fact.disputed for seen in facts_of(memory, "Mira", every=True)] == [False, False]


def test_two_owners_at_one_time_are_disputed(memory: Memory) -> None:
    owns = {"to": "Knife", "predicate": "possesses", "valid_from": "1850"}
    tell(memory, {"from": "Mira", **owns}, id="a")
    tell(memory, {"from": "Tobin", **owns}, id="b")
    assert [seen.fact.disputed for seen in facts_of(memory, "Knife", every=True)] == [True, True]


def test_only_a_retcon_supersedes_a_lore_claim_and_repeating_does_not_help(memory: Memory) -> None:
    tell(memory, rules("Mira", "1850", "1871"), id="a", source_at="2026-01-01T00:00:00Z")
    [old] = facts_of(memory, "Mira", every=True)
    tell(
        memory,
        rules("Mira", "1860", "1871", supersedes=f"fact_{old.fact.id}"),
        id="b",
        source_at="2026-01-02T00:00:00Z",
    )
    tell(memory, rules("Mira", "1850", "1871"), id="c", source_at="2026-01-03T00:00:00Z")
    shown = facts_of(memory, "Mira", at="1865")
    assert [str(seen.fact.valid_from) for seen in shown] == ["1860"]


def test_a_symmetric_claim_is_one_fact_in_both_directions(memory: Memory) -> None:
    tell(memory, {"from": "Mira", "to": "Tobin", "predicate": "spouse_of"}, id="a")
    tell(memory, {"from": "Tobin", "to": "Mira", "predicate": "spouse_of"}, id="b")
    [seen] = facts_of(memory, "Tobin")
    assert (seen.subject_name, seen.fact.source_count) == ("Mira", 2)

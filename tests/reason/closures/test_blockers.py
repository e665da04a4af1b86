"""Which blockers stand, as pure reasoning over links."""

import pytest

from recollect.model.ids import EntityId, FactId
from recollect.reason.closures.blockers import contains_words, find_closing_resolutions, find_open_marks
from recollect.reason.fact_links import AssertionMoment, AssertionSummary, FactLink, LinkEnd
from recollect.when.instant import Instant


def thing(name: str) -> LinkEnd:
    return LinkEnd(EntityId(name), "concept", name)


def said(subject: str, predicate: str, target: str | LinkEnd, at: int, tx: int = 0) -> FactLink:
    """A fact last said at a moment; a text is a literal."""
    moment = AssertionMoment(Instant(at), tx)
    object_, literal = (target, None) if isinstance(target, LinkEnd) else (None, target)
    name = f"{subject} {predicate} {target} {at}.{tx}"
    return FactLink(
        FactId(name),
        predicate,
        thing(subject),
        object_,
        literal,
        Instant(at),
        moment,
        AssertionSummary(moment, 1.0, None),
        1,
    )


def blocked(subject: str, target: str | LinkEnd, at: int, tx: int = 0) -> FactLink:
    return said(subject, "blocked_by", target, at, tx)


def resolved(subject: str, target: str | LinkEnd, at: int, tx: int = 0) -> FactLink:
    return said(subject, "resolved_by", target, at, tx)


def open_blockers(blockers: list[FactLink], resolutions: list[FactLink]) -> list[FactLink]:
    closed = find_closing_resolutions(blockers, resolutions)
    return [link for link in blockers if link.id not in closed]


@pytest.mark.parametrize(
    ("text", "part", "is_there"),
    [
        ("the supplier contract, signed", "Supplier  Contract", True),
        ("supplier contract", "supplier contract.", True),
        ("party", "art", False),
        ("state of the art", "art", True),
        ("party art", "art", True),
        ("foo_bar", "foo", True),
        ("first-rate", "rate", True),
        ("ＡＣＭＥ permit", "acme", True),
        ("C++ build", "c++", True),
        ("plan C agreed", "c++", False),
        ("phase 12", "phase 1", False),
        ("हिन्दी", "हिन्द", False),
        ("anything", "", False),
        ("…", "...", True),
    ],
)
def test_a_part_is_found_only_as_whole_words(text: str, part: str, is_there: bool) -> None:
    assert contains_words(text, part) is is_there


def test_a_resolution_at_the_same_moment_is_not_later() -> None:
    blocker = blocked("s", "leak", 5, 1)
    assert open_blockers([blocker], [resolved("s", "leak", 5, 1)]) == [blocker]
    assert open_blockers([blocker], [resolved("s", "leak", 5, 2)]) == []


def test_the_resolution_may_say_less_than_the_blocker() -> None:
    one, other = blocked("s", "supplier contract unsigned", 1), blocked("s", "leak", 2)
    assert open_blockers([one, other], [resolved("s", "contract", 3)]) == [other]


def test_a_resolution_that_mentions_only_a_later_blocker_closes_all_earlier() -> None:
    earlier, later = blocked("s", "leak", 1), blocked("s", "contract", 3)
    assert open_blockers([earlier, later], [resolved("s", "contract", 2)]) == [later]


def test_a_closed_blocker_still_counts_as_mentioned() -> None:
    leak, contract = blocked("s", "leak", 1), blocked("s", "contract", 2)
    again = [resolved("s", "leak", 3), resolved("s", "leak, once more", 4)]
    assert open_blockers([leak, contract], again) == [contract]


def test_resolutions_of_another_subject_close_nothing() -> None:
    blocker = blocked("s", "leak", 1)
    assert open_blockers([blocker], [resolved("t", "leak", 2)]) == [blocker]


def test_resolving_the_object_closes_the_blocker() -> None:
    blocker = blocked("s", thing("permit"), 1)
    assert open_blockers([blocker], [resolved("permit", "granted", 2)]) == []
    assert open_blockers([blocker], [resolved("permit", "granted", 0)]) == [blocker]


def test_a_mark_is_open_until_a_later_resolution() -> None:
    mark, other = said("s", "tagged", "next-action", 2), said("t", "tagged", "next-action", 3)
    assert find_open_marks([mark, other], [resolved("s", "x", 1)]) == [other, mark]
    assert find_open_marks([mark, other], [resolved("s", "x", 1), resolved("s", "y", 4)]) == [other]

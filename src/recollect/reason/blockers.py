"""Which blockers still stand, and which marks for a next action."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from recollect.model.ids import EntityId, FactId
from recollect.model.names import fold, fold_words
from recollect.reason.fact_links import AssertionMoment, FactLink, LinkEnd


class BlockerLike(Protocol):
    """As much of a blocker or a resolution as the rules look at."""

    @property
    def id(self) -> FactId: ...
    @property
    def subject(self) -> LinkEnd: ...
    @property
    def object(self) -> LinkEnd | None: ...
    @property
    def target(self) -> str: ...
    @property
    def latest(self) -> AssertionMoment: ...


AnyBlocker = TypeVar("AnyBlocker", bound=BlockerLike)


def find_open_blockers(blockers: Sequence[AnyBlocker], resolutions: Sequence[AnyBlocker]) -> list[AnyBlocker]:
    """The blockers that no later resolution closed, latest first.

    To judge a blocker, all blockers and resolutions of its subject and the resolutions of its object are needed.
    """
    closed = find_closing_resolutions(blockers, resolutions)
    return latest_first(link for link in blockers if link.id not in closed)


def find_closing_resolutions(
    blockers: Sequence[AnyBlocker], resolutions: Sequence[AnyBlocker]
) -> dict[FactId, AnyBlocker]:
    """By closed blocker, the earliest resolution that closes it; what is needed is as for `open_blockers`."""
    by_subject = _group_by_subject(blockers)
    by_object = _group_by_object(blockers)
    closed: dict[FactId, AnyBlocker] = {}
    for resolution in sorted(resolutions, key=lambda link: (link.latest, link.id)):
        earlier = [link for link in by_subject.get(resolution.subject.id, ()) if link.latest < resolution.latest]
        mentioned = [link for link in earlier if mentions_blocker(resolution, link)]
        ended = [link for link in by_object.get(resolution.subject.id, ()) if link.latest < resolution.latest]
        for link in (*(mentioned or earlier), *ended):
            closed.setdefault(link.id, resolution)
    return closed


def find_open_marks(marks: Iterable[FactLink], resolutions: Iterable[FactLink]) -> list[FactLink]:
    """The marks whose subject got no later resolution, latest first."""
    resolved = _last_resolved(resolutions)
    return latest_first(mark for mark in marks if not _is_link_before(mark, resolved.get(mark.subject.id)))


def latest_first(links: Iterable[AnyBlocker]) -> list[AnyBlocker]:
    return sorted(sorted(links, key=lambda link: link.id), key=lambda link: link.latest, reverse=True)


def _group_by_subject(links: Iterable[AnyBlocker]) -> Mapping[EntityId, list[AnyBlocker]]:
    found: dict[EntityId, list[AnyBlocker]] = {}
    for link in links:
        found.setdefault(link.subject.id, []).append(link)
    return found


def _group_by_object(links: Iterable[AnyBlocker]) -> Mapping[EntityId, list[AnyBlocker]]:
    found: dict[EntityId, list[AnyBlocker]] = {}
    for link in links:
        if link.object is not None:
            found.setdefault(link.object.id, []).append(link)
    return found


def _last_resolved(resolutions: Iterable[BlockerLike]) -> Mapping[EntityId, AssertionMoment]:
    last: dict[EntityId, AssertionMoment] = {}
    for link in resolutions:
        last[link.subject.id] = max(link.latest, last.get(link.subject.id, link.latest))
    return last


def _is_link_before(link: FactLink, moment: AssertionMoment | None) -> bool:
    return moment is not None and link.latest < moment


def mentions_blocker(resolution: BlockerLike, blocker: BlockerLike) -> bool:
    """Whether the two have one object, or the text of one stands in the other's as whole words."""
    if resolution.object is not None and blocker.object is not None and resolution.object.id == blocker.object.id:
        return True
    return contains_words(resolution.target, blocker.target) or contains_words(blocker.target, resolution.target)


def contains_words(text: str, part: str) -> bool:
    """Whether the part stands in the text as whole words, both folded."""
    folded = fold(text)
    wanted = fold_words(part) or fold(part)
    start = folded.find(wanted) if wanted else -1
    while start >= 0:
        if not _is_inside_word(folded, start) and not _is_inside_word(folded, start + len(wanted)):
            return True
        start = folded.find(wanted, start + 1)
    return False


def _is_inside_word(text: str, place: int) -> bool:
    """Whether a word goes on across this place."""
    return 0 < place < len(text) and _is_word_character(text[place - 1]) and _is_word_character(text[place])


def _is_word_character(letter: str) -> bool:
    # Marks carry the vowels of many scripts, so a word does not end before one.
    return letter.isalnum() or unicodedata.category(letter).startswith("M")

"""Which blockers and which next-action marks are still open."""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from recollect.model.ids import EntityId, FactId
from recollect.model.names import fold, fold_words
from recollect.reason.fact_links import AssertionMoment, FactLink, LinkEnd


class BlockerLike(Protocol):
    """The fields of a blocker or a resolution that the rules use."""

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


def find_closing_resolutions(
    blockers: Sequence[AnyBlocker], resolutions: Sequence[AnyBlocker]
) -> dict[FactId, AnyBlocker]:
    """By closed blocker, the earliest resolution that closes it.

    Deciding about a blocker takes all blockers and resolutions of its subject, and the resolutions of its object.
    """
    by_subject = _group_by_end(blockers, lambda link: link.subject)
    by_object = _group_by_end(blockers, lambda link: link.object)
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
    return latest_first(mark for mark in marks if mark.latest >= resolved.get(mark.subject.id, mark.latest))


def latest_first(links: Iterable[AnyBlocker]) -> list[AnyBlocker]:
    return sorted(sorted(links, key=lambda link: link.id), key=lambda link: link.latest, reverse=True)


def _group_by_end(
    links: Iterable[AnyBlocker], end_of: Callable[[AnyBlocker], LinkEnd | None]
) -> Mapping[EntityId, list[AnyBlocker]]:
    by_end: dict[EntityId, list[AnyBlocker]] = {}
    for link in links:
        end = end_of(link)
        if end is not None:
            by_end.setdefault(end.id, []).append(link)
    return by_end


def _last_resolved(resolutions: Iterable[BlockerLike]) -> Mapping[EntityId, AssertionMoment]:
    last: dict[EntityId, AssertionMoment] = {}
    for link in resolutions:
        last[link.subject.id] = max(link.latest, last.get(link.subject.id, link.latest))
    return last


def mentions_blocker(resolution: BlockerLike, blocker: BlockerLike) -> bool:
    """Whether the two have the same object, or the text of one contains the other's as whole words."""
    if resolution.object is not None and blocker.object is not None and resolution.object.id == blocker.object.id:
        return True
    return contains_words(resolution.target, blocker.target) or contains_words(blocker.target, resolution.target)


def contains_words(text: str, part: str) -> bool:
    """Whether the text contains the part as whole words, both folded."""
    folded = fold(text)
    wanted = fold_words(part) or fold(part)
    start = folded.find(wanted) if wanted else -1
    while start >= 0:
        if not _is_inside_word(folded, start) and not _is_inside_word(folded, start + len(wanted)):
            return True
        start = folded.find(wanted, start + 1)
    return False


def _is_inside_word(text: str, position: int) -> bool:
    return 0 < position < len(text) and _is_word_character(text[position - 1]) and _is_word_character(text[position])


def _is_word_character(letter: str) -> bool:
    # Combining marks carry the vowels of many scripts, so a word does not end before one.
    return letter.isalnum() or unicodedata.category(letter).startswith("M")

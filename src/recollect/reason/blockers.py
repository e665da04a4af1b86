"""Which blockers still stand, and which marks for a next action."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from recollect.model.ids import EntityId, FactId
from recollect.model.names import fold, fold_words
from recollect.reason.links import Link, Moment, Ref


class Joining(Protocol):
    """As much of a blocker or a resolution as the rules look at."""

    @property
    def id(self) -> FactId: ...
    @property
    def subject(self) -> Ref: ...
    @property
    def object(self) -> Ref | None: ...
    @property
    def target(self) -> str: ...
    @property
    def latest(self) -> Moment: ...


Joined = TypeVar("Joined", bound=Joining)


def open_blockers(blockers: Sequence[Joined], resolutions: Sequence[Joined]) -> list[Joined]:
    """The blockers that no later resolution closed, latest first.

    To judge a blocker, all blockers and resolutions of its subject and the resolutions of its object are needed.
    """
    closed = closing_resolutions(blockers, resolutions)
    return latest_first(link for link in blockers if link.id not in closed)


def closing_resolutions(blockers: Sequence[Joined], resolutions: Sequence[Joined]) -> dict[FactId, Joined]:
    """By closed blocker, the earliest resolution that closes it; what is needed is as for `open_blockers`."""
    by_subject = _by_subject(blockers)
    by_object = _by_object(blockers)
    closed: dict[FactId, Joined] = {}
    for resolution in sorted(resolutions, key=lambda link: (link.latest, link.id)):
        earlier = [link for link in by_subject.get(resolution.subject.id, ()) if link.latest < resolution.latest]
        mentioned = [link for link in earlier if mentions(resolution, link)]
        ended = [link for link in by_object.get(resolution.subject.id, ()) if link.latest < resolution.latest]
        for link in (*(mentioned or earlier), *ended):
            closed.setdefault(link.id, resolution)
    return closed


def open_marks(marks: Iterable[Link], resolutions: Iterable[Link]) -> list[Link]:
    """The marks whose subject got no later resolution, latest first."""
    resolved = _last_resolved(resolutions)
    return latest_first(mark for mark in marks if not _is_before(mark, resolved.get(mark.subject.id)))


def latest_first(links: Iterable[Joined]) -> list[Joined]:
    return sorted(sorted(links, key=lambda link: link.id), key=lambda link: link.latest, reverse=True)


def _by_subject(links: Iterable[Joined]) -> Mapping[EntityId, list[Joined]]:
    found: dict[EntityId, list[Joined]] = {}
    for link in links:
        found.setdefault(link.subject.id, []).append(link)
    return found


def _by_object(links: Iterable[Joined]) -> Mapping[EntityId, list[Joined]]:
    found: dict[EntityId, list[Joined]] = {}
    for link in links:
        if link.object is not None:
            found.setdefault(link.object.id, []).append(link)
    return found


def _last_resolved(resolutions: Iterable[Joining]) -> Mapping[EntityId, Moment]:
    last: dict[EntityId, Moment] = {}
    for link in resolutions:
        last[link.subject.id] = max(link.latest, last.get(link.subject.id, link.latest))
    return last


def _is_before(link: Link, moment: Moment | None) -> bool:
    return moment is not None and link.latest < moment


def mentions(resolution: Joining, blocker: Joining) -> bool:
    """Whether the two have one object, or the text of one stands in the other's as whole words."""
    if resolution.object is not None and blocker.object is not None and resolution.object.id == blocker.object.id:
        return True
    return has_words(resolution.target, blocker.target) or has_words(blocker.target, resolution.target)


def has_words(text: str, part: str) -> bool:
    """Whether the part stands in the text as whole words, both folded."""
    folded = fold(text)
    wanted = fold_words(part) or fold(part)
    start = folded.find(wanted) if wanted else -1
    while start >= 0:
        if not _is_cut(folded, start) and not _is_cut(folded, start + len(wanted)):
            return True
        start = folded.find(wanted, start + 1)
    return False


def _is_cut(text: str, place: int) -> bool:
    """Whether a word goes on across this place."""
    return 0 < place < len(text) and _is_in_word(text[place - 1]) and _is_in_word(text[place])


def _is_in_word(letter: str) -> bool:
    # Marks carry the vowels of many scripts, so a word does not end before one.
    return letter.isalnum() or unicodedata.category(letter).startswith("M")

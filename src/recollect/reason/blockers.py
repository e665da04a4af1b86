"""Which blockers still stand, and which marks for a next action."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from recollect.model.ids import EntityId, FactId
from recollect.model.names import fold, fold_words
from recollect.reason.links import Link, Moment


def open_blockers(blockers: Sequence[Link], resolutions: Sequence[Link]) -> list[Link]:
    """The blockers that no later resolution closed, latest first.

    To judge a blocker, all blockers and resolutions of its subject and the resolutions of its object are needed.
    """
    closed = _closed_by_subject(_by_subject(blockers), _by_subject(resolutions))
    resolved = _last_resolved(resolutions)
    standing = (link for link in blockers if link.id not in closed and not _has_object_resolved(link, resolved))
    return latest_first(standing)


def open_marks(marks: Iterable[Link], resolutions: Iterable[Link]) -> list[Link]:
    """The marks whose subject got no later resolution, latest first."""
    resolved = _last_resolved(resolutions)
    return latest_first(mark for mark in marks if not _is_before(mark, resolved.get(mark.subject.id)))


def latest_first(links: Iterable[Link]) -> list[Link]:
    return sorted(sorted(links, key=lambda link: link.id), key=lambda link: link.latest, reverse=True)


def _by_subject(links: Iterable[Link]) -> Mapping[EntityId, list[Link]]:
    found: dict[EntityId, list[Link]] = {}
    for link in links:
        found.setdefault(link.subject.id, []).append(link)
    return found


def _closed_by_subject(
    blockers: Mapping[EntityId, list[Link]], resolutions: Mapping[EntityId, list[Link]]
) -> set[FactId]:
    """What resolutions of the blocked itself close: the blockers they mention, or else all."""
    closed: set[FactId] = set()
    for subject in blockers.keys() & resolutions.keys():
        for resolution in resolutions[subject]:
            earlier = [link for link in blockers[subject] if link.latest < resolution.latest]
            mentioned = [link for link in earlier if mentions(resolution, link)]
            closed.update(link.id for link in mentioned or earlier)
    return closed


def _last_resolved(resolutions: Iterable[Link]) -> Mapping[EntityId, Moment]:
    last: dict[EntityId, Moment] = {}
    for link in resolutions:
        last[link.subject.id] = max(link.latest, last.get(link.subject.id, link.latest))
    return last


def _has_object_resolved(blocker: Link, resolved: Mapping[EntityId, Moment]) -> bool:
    return blocker.object is not None and _is_before(blocker, resolved.get(blocker.object.id))


def _is_before(link: Link, moment: Moment | None) -> bool:
    return moment is not None and link.latest < moment


def mentions(resolution: Link, blocker: Link) -> bool:
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

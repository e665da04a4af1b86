"""Pronouns of lore prose that can mean only one of the known names: Thora was a weaver. She married Eyvind in 1152."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from recollect.resolve.name_finder import NameSpan
from recollect.text.sentences import TextSpan

IsA = Callable[[NameSpan], bool]
_SUBJECT = re.compile(r"\b(?:he|she)\b(?!['’])", re.IGNORECASE)
_OBJECT = re.compile(r"\band\s+(?:then\s+|later\s+)?(?:ruled|governed|held|owned|controlled)(?: over)?\s+(?P<it>it)\b")
_PEOPLE = re.compile(
    r"(?<!\bwas )(?<!\bwas a )(?<!\bwas an )(?<!\bwas the )(?<!\bwas my )(?<!\bwas our )"
    r"\b(?:(?:grand|great-grand|god|step)?(?:father|mother|son|daughter)|brother|sister|wife|husband|widow|uncle|aunt"
    r"|nephew|niece|cousin|heir|king|queen|lord|lady|prince|princess|duke|earl|bishop|abbot|abbess|priest|knight|man"
    r"|woman|boy|girl|friend|lover|rival|child|someone|somebody|another|other|who|whom)\b",
    re.IGNORECASE,
)
_STRANGER = re.compile(r"(?<=[a-z,;] )(?<!\bthe )[A-Z][\w'’-]+")


def with_pronouns(
    text: str, spans: Sequence[TextSpan], names: Sequence[NameSpan], is_person: IsA, is_event: IsA
) -> list[NameSpan]:
    """The names, and the pronouns beside other names of their sentence that stand for one of them."""
    starts = [each.start for each in names]
    found: list[NameSpan] = []
    for at, span in enumerate(spans):
        first, last = bisect_left(starts, span.start), bisect_left(starts, span.stop)
        if first == last:
            continue
        before = spans[at - 1].start if at else span.start
        begin = before if "\n\n" not in text[before : span.start + 1] else span.start
        ahead = names[bisect_left(starts, begin) : last]
        found += _subjects(text, TextSpan(begin, span.stop), span, ahead, is_person)
        found += _objects(text, span, names[first:last], lambda each: is_person(each) or is_event(each))
    return sorted([*names, *found])


def _subjects(
    text: str, both: TextSpan, span: TextSpan, names: Sequence[NameSpan], is_person: IsA
) -> Iterator[NameSpan]:
    pronoun = _SUBJECT.search(text, span.start, span.stop)
    if pronoun is None:
        return
    before = [each for each in names if each.stop <= pronoun.start()]
    people = [each for each in before if is_person(each)]
    if not people or len({each.entity for each in people}) > 1 or not _is_subject(text, both, people[0]):
        return
    if _names_others(text, TextSpan(people[0].stop, pronoun.start()), before):
        return
    if any(pronoun.end() <= each.start for each in names):
        yield NameSpan(pronoun.start(), pronoun.end(), people[0].entities)


def _is_subject(text: str, span: TextSpan, name: NameSpan) -> bool:
    """Whether a name is not one of another's: the brother of Thora, Thora's brother, between her and Thora."""
    before = text[span.start : name.start].split()
    is_governed = bool(before) and before[-1].lower() in ("of", "to", "by", "with", "for", "and", "from", "than", "or")
    return not is_governed and not text[name.stop :].startswith(("'", "’"))


def _names_others(text: str, span: TextSpan, names: Sequence[NameSpan]) -> bool:
    """Whether words between a name and a pronoun speak of somebody else whom it may mean."""
    letters = list(text[span.start : span.stop])
    for each in names:
        if each.start >= span.start:
            letters[each.start - span.start : each.stop - span.start] = " " * (each.stop - each.start)
    words = "".join(letters)
    return _PEOPLE.search(words) is not None or _STRANGER.search(words) is not None


def _objects(text: str, span: TextSpan, names: Sequence[NameSpan], is_other: IsA) -> Iterator[NameSpan]:
    """What *it* means after a second verb: took Fenholt in 1149 and ruled it until 1163."""
    found = _OBJECT.search(text, span.start, span.stop)
    things = [each for each in names if found and each.stop <= found.start() and not is_other(each)]
    if found is not None and len({each.entity for each in things}) == 1:
        yield NameSpan(*found.span("it"), things[0].entities)

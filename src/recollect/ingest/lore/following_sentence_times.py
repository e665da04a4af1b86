"""What the words after a relation say of its time: the alliance lasted until 1712, he left it in 1812.

A sentence counts if it goes on about the relation, by a pronoun, a noun for it or one of its ends, and says when it
began, ended or held. One that does and cannot be read leaves the relation without a known time.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from recollect.ingest.lore.clauses import bounds_in
from recollect.ingest.lore.lore_clause import KINSHIP, LoreClause, Prose
from recollect.ingest.lore.period_fractions import YEAR_UNIT, count_of, years_per
from recollect.ingest.lore.time_phrases import Phrase
from recollect.ingest.lore.words_of_time import has_time_words
from recollect.model.relations import is_point, read_relation
from recollect.reading.clause import clauses as clause_modalities
from recollect.text.sentences import TextSpan
from recollect.when.period import Time

Bounds = tuple[str | None, str | None]
Change = Literal["start", "end", "whole"]
_FURTHEST = 3
_ANY_END = (
    r"ended|ends|ceased(?: to (?:be (?:so|one|allied|allies|an? [a-z]+)|[a-z]+))?|"
    "stopped|lapsed|expired|collapsed|dissolved|broken|broke(?: up| off| down| apart)?|fell apart"
    "|came to an end|annulled|terminated|cancelled|changed|revoked|abandoned|crumbled|failed|concluded|over"
)
_ENDS: Mapping[str, str] = {
    "member_of": "left|quit|resigned|retired|withdrew|departed|deserted|defected|stepped down|dropped out|expelled"
    "|dismissed|removed|thrown out|cast out|struck off|excluded|banished|exiled|discharged|disowned|ejected",
    "rules": "deposed|abdicated|overthrown|ousted|toppled|dethroned|unseated|removed|resigned|stepped down|driven out"
    "|expelled|exiled|banished|lost (?:it|the throne|the crown|power)|succeeded by|replaced|gave up the throne|fell",
    "spouse_of": "divorced|separated|parted|split(?: up)?|widowed|left (?:him|her)|set aside",
    "allied_with": "parted|split|fell out|withdrew|turned on|betrayed|left|quit|went to war|became enemies|seceded",
    "at_war_with": "made peace|sued for peace|surrendered|yielded|submitted|signed",
    "enemy_of": "made peace|reconciled|became (?:friends|allies)",
    "resided_in": "left|moved|departed|fled|emigrated|withdrew|went (?:away|home)|expelled|driven out|banished|exiled"
    "|never (?:returned|came back|went back)",
    "possesses": "lost|sold|gave|pawned|stolen|bequeathed|surrendered|seized|taken|passed",
    "controls": "lost|left|driven out|expelled|withdrew|surrendered|yielded|seized|taken|retaken|captured|fell",
    "serves": "left|quit|resigned|retired|withdrew|deserted|defected|dismissed|discharged|expelled",
    "holds_title": "deposed|abdicated|removed|resigned|retired|stepped down|dismissed|lost|succeeded by|replaced",
}
_ANY_START = "began|begun|begins|started|commenced|formed|founded"
_STARTS: Mapping[str, str] = {
    "member_of": "joined|entered|admitted|became a member|enlisted|elected|received|accepted|enrolled",
    "rules": "crowned|acceded|ascended|came to (?:power|the throne)|took (?:power|the throne)|enthroned",
    "spouse_of": "married|wed|celebrated|solemni[sz]ed",
    "allied_with": "signed|sealed|sworn|agreed|forged",
    "at_war_with": "broke out|declared|erupted",
    "resided_in": "arrived|came|settled|moved in",
    "possesses": "bought|acquired|inherited|received|won",
    "controls": "took|seized|captured|conquered",
    "serves": "entered|joined",
    "holds_title": "appointed|elected|named|installed|invested",
}
_LASTED = "lasted|lasts|endured|continued|persisted"
_HELD = "ran|held|stood|survived|(?:remained|stayed)(?: so)?"
_SAME: Mapping[str, str] = {
    "member_of": "(?:an? )?members?|belonged",
    "rules": "ruled|reigned",
    "spouse_of": "married",
    "allied_with": "allied|allies",
    "at_war_with": "fought|at war",
    "enemy_of": "enemies",
    "resided_in": "lived|dwelt|resided",
    "possesses": "owned|possessed",
    "controls": "controlled",
    "serves": "served",
    "holds_title": "served",
}
_NOUNS: Mapping[str, str] = {
    "member_of": "membership|tenure",
    "rules": "reign|rule|tenure",
    "spouse_of": "marriage|union|match",
    "allied_with": "alliance|pact|league|treaty|friendship|bond|accord|agreement|coalition|partnership"
    "|arrangement|compact|understanding",
    "at_war_with": "war|feud|conflict|fighting",
    "enemy_of": "enmity|feud|hatred",
    "resided_in": "stay|residence",
    "possesses": "ownership|possession",
    "controls": "control|occupation",
    "serves": "service",
    "holds_title": "tenure|office|term",
}
_TAKEN: Mapping[str, str] = dict.fromkeys(
    ("rules", "controls", "possesses", "resided_in"),
    r"(?:re)?(?:took|captured|seized|conquered|claimed)|stole|bought|sacked|destroyed|burned|burnt|won",
)
"""What others do to a place or a thing, which may end what somebody had of it: the king retook it."""
_GROUPS = "guild|order|house|clan|company|band|club|society|brotherhood|sisterhood|circle|choir|group|family"
_DEATHS = "died|passed away|perished|(?:was|is) (?:killed|slain|murdered|executed|assassinated|beheaded|poisoned)"
_ALSO = r"(?:(?:had|has|have|was|were|been|is|then|later|finally|eventually|soon|also|only|[a-z]+ly)\s+)*"
_WHO = r"(?:he|she|they|it|this|that|both|(?:both|the two|the) (?:allies|houses|sides|couple|spouses|of them))"
_OF_ANOTHER = re.compile(r"(?<!\band)(?<!\bbut)(?<=[a-z])\s+(?:that|this|it)\b")
"""A pronoun that belongs to the word before it: a hall that lasted."""
_WHOSE = r"(?:the|this|that|his|her|their|its|an?)"
_NEXT_IS_TIME = (
    r"(?=\s+(?:in|on|at|from|until|till|between|during|throughout|before|after|since|for|long|only|about|around|by"
    r"|under|when|while|some|two|three|many|a few|up|right)\b)"
)
_HAPPENED = (
    r"(?:\A|(?<=[,;]\s)|(?<=and\s))(?:it|this|all this|all of this|that)\s+"
    rf"(?:was|happened|occurred|took place|came about){_NEXT_IS_TIME}"
)
_OBJECT = re.compile(
    r"\s*(?:(?:(?:with |from )?(?:it|them|him|her|each other|one another|(?:the|his|her) [a-z]+)|so|there|together)\b)?"
    r"[\s,]*"
)
_WITH = re.compile(r"\s+(?:with|upon|at|on)\s+", re.IGNORECASE)
_CONTINUATION = re.compile(r"\s*(?:;|,|—|–)\s*(?:and |but |yet )?|\s+(?:and|but) ", re.IGNORECASE)
_CHANGES: Mapping[str, Change] = {
    "end": "end", "died": "end", "start": "start", "lasted": "whole", "happened": "whole",
}  # fmt: skip
_ITEM = re.compile(r"\s*(?:[-*+>#|]|\d{1,3}[.)])\s")


class LaterTime(NamedTuple):
    """The bounds that later words give a relation; none if they say when and cannot be read."""

    span: TextSpan
    bounds: Bounds | None


class _Cue(NamedTuple):
    """A verb that says that something began, ended or held."""

    change: Change
    start: int
    stop: int


_COUNT = (
    rf"(?:(?P<count>[\w-]+(?: [\w-]+)?) (?P<unit>{YEAR_UNIT}) (?:later|afterwards)"
    r"|(?:in )?(?P<next>the (?:next|following) year)|(?:in )?(?:that (?:same )?|the same )year)"
)
_COUNT_BEFORE = re.compile(rf"\s*{_COUNT}[\s,]+(?:the\s+)?", re.IGNORECASE)
_COUNT_AFTER = re.compile(rf"[\s,]+{_COUNT}(?=\s*[.;,]|\s*$)", re.IGNORECASE)


def sentences_after(text: str, spans: Sequence[TextSpan], at: int) -> list[TextSpan]:
    """The next sentences of the paragraph in which one stands."""
    found: list[TextSpan] = []
    for each in spans[at + 1 : at + 1 + _FURTHEST]:
        gap = re.match(r"\s*", text[spans[at].stop if not found else found[-1].stop : each.stop])
        if (gap is not None and gap[0].count("\n") > 1) or _ITEM.match(text, each.start, each.stop):
            break
        found.append(each)
    return found


def rest_of_sentence(prose: Prose, span: TextSpan, clause: LoreClause) -> TextSpan | None:
    """The words after a relation and its time that may go on about it: ; they parted in 1815."""
    begin = clause.stop if clause.phrase is None else max(clause.stop, clause.phrase.stop)
    found = _CONTINUATION.match(prose.text, begin, span.stop)
    return None if found is None else TextSpan(found.end(), span.stop)


def later_time(prose: Prose, clause: LoreClause, later: Sequence[TextSpan]) -> LaterTime | None:
    """The time that the words after a relation give it, if they give one."""
    if clause.other is None or clause.relation in KINSHIP:
        return None
    start: str | None = None
    told: LaterTime | None = None
    for span in later:
        if _names_others(prose, clause, span):
            return told
        cues = list(_cues(prose, clause, span))
        if not (cues or _is_about(prose, clause, span)) or not _says_when(prose, span):
            continue
        bounds = _read_bounds(prose, clause, span, cues)
        if bounds is None or bounds[1] is not None:
            return LaterTime(span, None if bounds is None else (start or bounds[0], bounds[1]))
        start = start or bounds[0]
        told = LaterTime(span, (start, None))
    return told


def _names_others(prose: Prose, clause: LoreClause, span: TextSpan) -> bool:
    ends = {clause.one.entity, clause.other.entity if clause.other else None}
    inside = (each for each in prose.names if span.start <= each.start < span.stop)
    return any(each.entity not in ends and not prose.is_event(each) for each in inside)


def _is_about(prose: Prose, clause: LoreClause, span: TextSpan) -> bool:
    """Whether a sentence has a noun for the relation, or says that the group ended: the duke tore up the alliance."""
    relation = read_relation(clause.relation).name
    if is_point(relation):
        return False
    ends = f"{_ANY_END}|{_ENDS.get(relation, _ANY_END)}"
    pattern = rf"\b(?:this|that|his|her|their|the) (?:[a-z]+ )?(?:{_NOUNS.get(relation, 'relation')})\b"
    pattern += rf"|\b(?:the|its) (?:{_GROUPS})\s{_ALSO}(?:{ends})\b"
    if relation in _TAKEN:
        thing = "|".join(map(re.escape, ("it", *_ends_of(prose, clause)[1:])))
        pattern += rf"|\b(?:{_TAKEN[relation]}) (?:back )?(?:the )?(?:{thing})\b"
    return re.search(pattern, prose.text[span.start : span.stop], re.IGNORECASE) is not None


def _says_when(prose: Prose, span: TextSpan) -> bool:
    if any(span.start <= each.start < span.stop and prose.is_event(each) for each in prose.names):
        return True
    return has_time_words(_without_nouns(prose.text[span.start : span.stop]), prose.timeline)


def _without_nouns(text: str) -> str:
    """A sentence without those nouns for relations and verbs that are words of time elsewhere."""
    return re.sub(rf"\b(?:{'|'.join(_NOUNS.values())}|ends|{_ANY_START})\b", " ", text, flags=re.IGNORECASE)


def _cues(prose: Prose, clause: LoreClause, span: TextSpan) -> Iterator[_Cue]:
    """The first verb that says something of the relation, and those joined to it by *and*."""
    relation = read_relation(clause.relation).name
    first, further = _patterns(relation, prose.is_person(clause.one), _ends_of(prose, clause))
    text = prose.text[span.start : span.stop]
    found = next((each for each in first.finditer(text) if not _OF_ANOTHER.match(text, each.start() - 1)), None)
    while found is not None:
        change: Change = _CHANGES[str(found.lastgroup)]
        yield _Cue(change, span.start + found.start(), span.start + found.end())
        found = further.search(text, found.end())


def _ends_of(prose: Prose, clause: LoreClause) -> tuple[str, ...]:
    return tuple(prose.text[each.start : each.stop] for each in (clause.one, clause.other) if each is not None)


@lru_cache(256)
def _patterns(relation: str, is_person: bool, names: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns of a sentence that repeats a relation with its subject, and of one that continues it."""
    happened = rf"(?P<happened>{_HAPPENED})"
    if is_point(relation):
        return re.compile(happened, re.IGNORECASE), re.compile(r"(?!)")
    nouns = _NOUNS.get(relation, "relation")
    subject = (
        rf"(?:\A(?:[\s,]*(?:which|that)\s)?|\A[\s,]+|\b{_WHO}\s|\b{_WHOSE}\s(?:[a-z]+\s)?(?:{nouns})\s(?:that\s|which\s)?"
        rf"|(?:{'|'.join(map(re.escape, names))})\s)\s*"
    )
    ends, starts = f"{_ANY_END}|{_ENDS.get(relation, _ANY_END)}", f"{_ANY_START}|{_STARTS.get(relation, _ANY_START)}"
    held = rf"{_LASTED}|(?:{_HELD}|{_SAME.get(relation, _HELD)}){_NEXT_IS_TIME}"
    verbs = rf"(?:(?P<end>{ends})|(?P<start>{starts})|(?P<lasted>{held}))\b"
    dead = rf"|(?:\A|\b(?:he|she)\s+){_ALSO}(?P<died>{_DEATHS})\b" if is_person else ""
    first = rf"{subject}{_ALSO}{verbs}|(?P<happened>{_HAPPENED}){dead}"
    return re.compile(first, re.IGNORECASE), re.compile(
        rf"(?:\b(?:and|but)|,)\s+(?:{_WHO}\s+)?{_ALSO}{verbs}", re.IGNORECASE
    )


def _read_bounds(prose: Prose, clause: LoreClause, span: TextSpan, cues: Sequence[_Cue]) -> Bounds | None:
    """The bounds by all of the verbs, each with its time; none if a word of time is left over."""
    text = prose.text[span.start : span.stop]
    if not cues or any(each.is_denied or not each.is_asserted for each in clause_modalities(text)):
        return None
    start: str | None = None
    end: str | None = None
    read: list[TextSpan] = []
    for cue, stop in zip(cues, [*(each.start for each in cues[1:]), span.stop], strict=True):
        phrase = _phrase_of(prose, clause, span, cue, stop)
        bounds = None if phrase is None else _bounds_by(prose, clause, cue.change, phrase)
        if phrase is None or bounds is None:
            return None
        start, end = start or bounds[0], end or bounds[1]
        read += [TextSpan(cue.start, cue.stop), TextSpan(phrase.begin, phrase.stop)]
    return None if has_time_words(_without(prose.text, span, read), prose.timeline) else (start, end)


def _without(text: str, span: TextSpan, removed: Sequence[TextSpan]) -> str:
    letters = list(text[span.start : span.stop])
    for each in removed:
        letters[each.start - span.start : each.stop - span.start] = " " * (each.stop - each.start)
    return _without_nouns("".join(letters))


def _phrase_of(prose: Prose, clause: LoreClause, span: TextSpan, cue: _Cue, stop: int) -> Phrase | None:
    """The time right after a verb, or at the start of its sentence."""
    named = _WITH.match(prose.text, cue.stop, stop)
    moment = prose.moment(clause.one, named.end(), stop) if named else None
    if moment is not None:
        return moment
    after = _OBJECT.match(prose.text, cue.stop, stop)
    phrase = prose.phrase(clause.one, after.end(), stop) if after else None
    return phrase or prose.phrase(clause.one, span.start, cue.start)


def _bounds_by(prose: Prose, clause: LoreClause, change: Change, phrase: Phrase) -> Bounds | None:
    if change == "whole":
        return bounds_in(prose, clause._replace(phrase=phrase))
    if phrase.sense != "at" or phrase.start is None or phrase.end is None:
        return None
    return (phrase.start.text, None) if change == "start" else (None, phrase.end.text)


def add_relative_year(
    prose: Prose, span: TextSpan, before: TextSpan | None, clauses: Sequence[LoreClause]
) -> list[LoreClause]:
    """The relations of a sentence; those that count from the year of the one before have their year."""
    return [each if each.phrase or before is None else _counted(prose, span, before, each) for each in clauses]


def _counted(prose: Prose, span: TextSpan, before: TextSpan, clause: LoreClause) -> LoreClause:
    found = _COUNT_BEFORE.fullmatch(prose.text, span.start, clause.one.start)
    found = found or _COUNT_AFTER.match(prose.text, clause.stop, span.stop)
    years = _years(found) if found else None
    anchor = None if years is None else _only_time(prose, before, clause)
    time = None if anchor is None or years is None else prose.moments.shifted(anchor, years)
    if found is None or time is None:
        return clause
    return clause._replace(phrase=Phrase(time, time, found.start(), found.end(), "at"))


def _years(found: re.Match[str]) -> int | None:
    if found["count"] is None:
        return 1 if found["next"] else 0
    count = count_of(found["count"])
    return None if count is None else count * years_per(found["unit"])


def _only_time(prose: Prose, span: TextSpan, clause: LoreClause) -> Time | None:
    """The year that a sentence tells, if it tells no other time."""
    found = [each for each in prose.phrases_in(clause.one, span.start, span.stop) if each.sense == "at"]
    if not found or found[0].start is None or found[0].start != found[0].end or found[0].start.uncertain:
        return None
    rest = prose.text[span.start : found[0].begin] + " " + prose.text[found[0].stop : span.stop]
    return None if has_time_words(rest, prose.timeline) else found[0].start

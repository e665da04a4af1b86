"""Sentences, and the relations that their words state between known names, each with its time phrase."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from recollect.ingest.lore.lore_clause import KINSHIP, LoreClause, Prose, fits
from recollect.ingest.lore.relation_words import begins_relation, ends_relation, is_aside, is_over, relations_in
from recollect.ingest.lore.time_phrases import Phrase
from recollect.ingest.lore.words_of_time import has_time_words
from recollect.model.relations import is_point, read_relation
from recollect.reading.clause import Clause
from recollect.reading.clause import clauses as clause_modalities
from recollect.resolve.name_finder import NameSpan
from recollect.text.sentences import TextSpan, blocks, spans_in_block
from recollect.text.verbs import is_past_form
from recollect.when.period import Time, time_text


def sentence_spans(text: str, names: Sequence[NameSpan]) -> list[TextSpan]:
    """The sentences of a text with the markers of list items and headings; no name is cut in two."""
    unbroken = [TextSpan(each.start, each.stop) for each in names]
    found: list[TextSpan] = []
    for block in blocks(text):
        spans = list(spans_in_block(text, block.body, block.stop, "prose", unbroken))
        found += [TextSpan(block.start, spans[0].stop), *spans[1:]] if spans else []
    return found


_OR_SO = re.compile(r"\b(?:lest|(?:or )?so (?:it is|they) (?:said|say|claim))\b", re.IGNORECASE)
_CLEFT_SENTENCE = re.compile(
    r"^(\s*It was (?:in|on|at|from|between|during|until|only|not (?:until|till|before))\b[^,;:]{1,60}?\s)that\b",
    re.IGNORECASE,
)
_AS_LONG_AS = re.compile(
    r"\b(?:for )?(?:as|so) long as(?=[^,;:.]* (?:ruled|reigned|governed|was|were|held|lived|stood)\b)", re.IGNORECASE
)
"""A duration, not a condition, if what it names is past."""
_NEVER = re.compile(r"\b(?:neither|nor|never)\b", re.IGNORECASE)


def is_unasserted(text: str, span: TextSpan, names: Sequence[NameSpan]) -> bool:
    """Whether what a sentence says of the names is asked, doubted, supposed, hoped, denied or hearsay."""
    sentence = _CLEFT_SENTENCE.sub(lambda found: f"{found[1]}    ", text[span.start : span.stop])
    sentence = _AS_LONG_AS.sub(_as_while, sentence)
    if _OR_SO.search(sentence) or _NEVER.search(text, span.start, names[-1].start):
        return True
    meant = [each for each in clause_modalities(sentence) if each.is_asserted and not each.is_denied]
    return not all(any(_holds(each, span, name) for each in meant) for name in names)


def _as_while(found: re.Match[str]) -> str:
    return ("While" if found[0][0].isupper() else "while").ljust(len(found[0]))


def _holds(clause: Clause, span: TextSpan, name: NameSpan) -> bool:
    return clause.start <= name.start - span.start < clause.stop


_LONGEST = 140
_RELATIVE = re.compile(r"^\s*,?\s*(?:(?:which|who|that)\b)?\s*", re.IGNORECASE)
_TOGETHER = re.compile(
    r"\s+(?:(?:were|are|became|remained|stood|have been|had been)\s+(?:(?P<allied>allied|allies)|married|wed)"
    r"|(?:married|wed)(?= (?:in|on|at|during|after|before|around|about|each|one)\b))\b"
    r"(?:\s+(?:with|to) (?:each other|one another))?(?!\s+(?:with|to|by|of)\b)(?!\s+(?-i:[A-Z]))",
    re.IGNORECASE,
)
_AND = re.compile(r"\s*,?\s*and\s+(?:the\s+)?", re.IGNORECASE)
_ALONE = re.compile(
    r"\s*(?:(?:was|were) )?(?P<verb>born|died)\s+"
    r"(?=(?:in|on|during|before|after|around|about|circa|c\.|between|by|at)\b|(?:[\w-]+ ){1,2}years? (?:after|before))",
    re.IGNORECASE,
)
_AND_DIED = re.compile(r"[\s,]*(?:and )?died\s+", re.IGNORECASE)
_UP_TO_NAME = re.compile(r"[\s,]*(?:(?P<verb>was|were|did)\s+)?(?:the\s+)?", re.IGNORECASE)
_CLEFT = re.compile(r"\s*It was\s+(?:only\s+)?", re.IGNORECASE)
_THAT = re.compile(r"[\s,]*that\s+(?:the\s+)?", re.IGNORECASE)
_ASIDE = re.compile(
    r"\s*\((?P<brackets>[^()]*)\)\s*"
    r"|\s*,\s*(?:(?:who|whose|which|born|aged|then|an?|the|once|himself|herself|first|second|third|fourth|last|eldest|youngest"
    r"|son|daughter|heir|widow|widower|brother|sister|(?:widow|crown|orphan|betray|defeat|exil)ed)\b|\d)[^,;()]*,(?!\s*(?:and|or)\b)\s*",
    re.IGNORECASE,
)
_NOT_YET = re.compile(r"\s+(?P<verb>was|were|had|did)(?: not|n['’]t)(?: yet)? (?P<rest>.+)", re.IGNORECASE | re.DOTALL)
_WHICH = re.compile(r"\s*,\s*(?:which|whom|that)\s+(?:the\s+)?", re.IGNORECASE)
_BARE_VERB = re.compile(r"(?P<verb>\s+(?:had |has |have )?[a-z]+(?: over| with| to)?)(?=\s)", re.IGNORECASE)
_NO_LONGER = re.compile(r"\s+(?:(?P<verb>was|were) )?no longer (?P<rest>.+)", re.IGNORECASE | re.DOTALL)
_FROM_THEN = re.compile(r"[\s,]*(?:from|since|as of)\b", re.IGNORECASE)
_UNTIL = re.compile(r"[\s,]*(?:until|till)\b", re.IGNORECASE)
_DID = re.compile(r"\bdid\s+(?:the\s+)?$", re.IGNORECASE)
_PAST = {
    "rule": "ruled", "reign": "reigned", "govern": "governed", "marry": "married", "wed": "wed", "join": "joined",
    "own": "owned", "control": "controlled", "serve": "served", "hold": "held", "live": "lived", "enter": "entered",
    "begin": "began", "come": "came", "become": "became", "ally": "allied", "found": "founded",
}  # fmt: skip
_SECOND_VERB = re.compile(r",?\s+and\s+(?:then\s+|later\s+|afterwards\s+|there\s+)?", re.IGNORECASE)
_OTHER_SUBJECT = re.compile(
    r"\b(?:that|who|which|whose|whom|while|if|because|whether|when|than|not|never|or|he|she|they|nor|until|after)\b|[;:()]"
)
_TITLE = re.compile(
    r"(?<=\s)(?:(?:the|his|her|their)\s+(?!alleged|supposed|false|late|pretended)[a-z]+\s+)?"
    r"(?:(?:King|Queen|Lord|Lady|Sir|Dame|Duke|Duchess|Count|Countess|Prince|Princess|Earl|Baron|Captain)\s+)?$"
)
_COMMA = re.compile(r"\s*[,)—–]")
_YEARS = re.compile(r"[\s,(\[]*(?:(?:circa|ca?\.)\s*)?\d")
_BORN = re.compile(r"\b(?:born|died)\s+(?=\d|c)", re.IGNORECASE)
_DASH = re.compile(r"\d ?[-–—] ?\d")
_DIED = re.compile(r"\b(?:died|d\.)", re.IGNORECASE)
_REIGNED = re.compile(r"\s*(?:r\.|reigned|ruled)\s+", re.IGNORECASE)


def clauses(prose: Prose, span: TextSpan, names: Sequence[NameSpan]) -> list[LoreClause]:
    """The relations of a sentence, each with the time inside it, after it, or before its first name."""
    found = [*_clauses_between_names(prose, span, names), *_alone(prose, span, names)]
    timed = [_with_ended(prose, _add_time_phrase(prose, span, names, each)) for each in found]
    times = [each.phrase for each in timed if each.phrase is not None]
    return [
        each
        for each in timed
        if each.phrase is not None or not (_needs_time(prose, each) or any(_says(time, each) for time in times))
    ]


def _with_ended(prose: Prose, clause: LoreClause) -> LoreClause:
    """A relation that ceased at its time ended then; without a time, or with any other, nobody can say when it held."""
    phrase = clause.phrase
    if phrase is None or not ends_relation(prose.text[clause.words.start : clause.words.stop]):
        return clause
    is_clear = phrase.sense == "at" and phrase.end is not None
    return clause._replace(phrase=phrase._replace(start=None, sense="bounds") if is_clear else None)


def _says(time: Phrase, clause: LoreClause) -> bool:
    """Whether a relation only says when another held: while King Osric ruled Vale, when Corin married Ysmay."""
    return time.begin <= clause.one.start and clause.stop <= time.stop


def _needs_time(prose: Prose, clause: LoreClause) -> bool:
    """Whether a relation is mentioned only in passing or as past: without its own time it may be over."""
    words = prose.text[clause.words.start : clause.words.stop]
    return clause.relation not in KINSHIP and (is_aside(words) or is_over(words) or ends_relation(words))


def _clauses_between_names(prose: Prose, span: TextSpan, names: Sequence[NameSpan]) -> Iterator[LoreClause]:
    for at, (one, other) in enumerate(pairwise(names)):
        is_near = other.start - one.stop <= _LONGEST and one.entity != other.entity
        found = _read_clause(prose, span, one, other) if is_near else None
        if found is not None and fits(prose, found.relation, found.one, found.other or other):
            yield found
        elif found is None:
            second = (_read_second_verb(prose, span, names, each, other) for each in reversed(names[: at + 1]))
            yield from [each for each in second if each is not None][:1]


def _read_second_verb(
    prose: Prose, span: TextSpan, names: Sequence[NameSpan], one: NameSpan, other: NameSpan
) -> LoreClause | None:
    """A relation whose subject does something else first: came to Askvik in 1163 and ruled it until 1181."""
    if one.entity == other.entity or other.start - one.stop > _LONGEST:
        return None
    joints = list(_SECOND_VERB.finditer(prose.text, one.stop, other.start))
    head = prose.text[one.stop : joints[-1].start()].split() if joints else []
    if not head or not is_past_form(head[0]) or _OTHER_SUBJECT.search(" ".join(head)):
        return None
    found = _read_words(prose, one, joints[-1].end(), other)
    if found is None or is_aside(prose.text[found.words.start : found.words.stop]):
        return None
    leading = _leading_phrase(prose, span, names, one)
    aside = TextSpan(one.stop if leading is None else leading.begin, joints[-1].end())
    phrase = found.phrase or prose.phrase(one, found.stop, span.stop)
    if phrase is not None and phrase.start is None:
        phrase = _begun_at(prose, one, aside, phrase)
    return None if phrase is None else found._replace(phrase=phrase, aside=aside)


def _begun_at(prose: Prose, own: NameSpan, aside: TextSpan, phrase: Phrase) -> Phrase | None:
    """An end with the time of what was done first as its start: took Fenholt in 1149 and ruled it until 1163."""
    if not has_time_words(prose.text[aside.start : aside.stop], prose.timeline):
        return phrase
    starts = {each.start for each in prose.phrases_in(own, *aside) if each.sense == "at" and each.start == each.end}
    return phrase._replace(start=starts.pop()) if len(starts) == 1 else None


def _read_clause(prose: Prose, span: TextSpan, one: NameSpan, other: NameSpan) -> LoreClause | None:
    """Relations stated by the words between two names, or after both."""
    words = prose.text[one.stop : other.start]
    if _AND.fullmatch(words):
        together = _TOGETHER.match(prose.text, other.stop, span.stop)
        relation = None if together is None else "allied_with" if together["allied"] else "spouse_of"
        return LoreClause(one, relation, other, TextSpan(*together.span())) if together and relation else None
    found = (
        _read_words(prose, one, one.stop, other)
        or _read_not_until(prose, span, one, other)
        or _read_no_longer(prose, span, one, other)
    )
    return found or _read_object_first(prose, span, one, other) or _read_after_aside(prose, one, other)


def _read_words(prose: Prose, one: NameSpan, begin: int, other: NameSpan) -> LoreClause | None:
    words = prose.text[begin : other.start]
    if begin == one.stop and _DID.search(prose.text, max(0, one.start - 12), one.start):
        words = _past_form(words)
    relation = relation_between(prose, one, words, other)
    if relation is not None:
        return LoreClause(one, relation, other, TextSpan(begin, other.start))
    return _read_interrupted_clause(prose, one, begin, other)


def _read_object_first(prose: Prose, span: TextSpan, object_: NameSpan, subject: NameSpan) -> LoreClause | None:
    """A relation whose object stands before it: Vale, which Corin ruled from 312 to 345 TA."""
    joint = _WHICH.fullmatch(prose.text, object_.stop, subject.start)
    verb = _BARE_VERB.match(prose.text, subject.stop, span.stop) if joint else None
    relation = relation_between(prose, subject, f"{verb['verb']} ", object_) if verb else None
    phrase = prose.phrase(subject, verb.end("verb"), span.stop) if relation and verb else None
    if relation is None or verb is None or phrase is None or not fits(prose, relation, subject, object_):
        return None
    return LoreClause(subject, relation, object_, TextSpan(object_.stop, verb.end("verb")), phrase)


def _read_no_longer(prose: Prose, span: TextSpan, one: NameSpan, other: NameSpan) -> LoreClause | None:
    """A relation that was over from a time on: from 345 TA on Marrow was no longer allied with the Pact."""
    found = _NO_LONGER.match(prose.text, one.stop, other.start)
    relation = relation_between(prose, one, f" {found['verb'] or ''} {found['rest']}", other) if found else None
    words = TextSpan(one.stop, other.start)
    clause = None if relation is None else _add_time_phrase(prose, span, [one], LoreClause(one, relation, other, words))
    phrase = None if clause is None else clause.phrase
    if clause is None or phrase is None or not _FROM_THEN.match(prose.text, *phrase[2:4]):
        return None
    is_start = phrase.sense == "bounds" and phrase.start is not None and phrase.end is None
    return clause._replace(phrase=phrase._replace(start=None, end=phrase.start)) if is_start else None


def _read_not_until(prose: Prose, span: TextSpan, one: NameSpan, other: NameSpan) -> LoreClause | None:
    """A relation that did not hold until something, and began then: was not allied with the Pact until 1720."""
    found = _NOT_YET.match(prose.text, one.stop, other.start)
    relation = None if found is None else relation_between(prose, one, _without_denial(found), other)
    phrase = prose.phrase(one, other.stop, span.stop) if relation else None
    if relation is None or phrase is None or phrase.end is None or not _UNTIL.match(prose.text, *phrase[2:4]):
        return None
    begun = phrase._replace(start=phrase.end, end=None)
    is_only_end = phrase.start is None and phrase.sense == "bounds"
    return LoreClause(one, relation, other, TextSpan(one.stop, other.start), begun) if is_only_end else None


def _without_denial(found: re.Match[str]) -> str:
    """The words of a denial without it: was allied with, married."""
    return _past_form(found["rest"]) if found["verb"].lower() == "did" else f" {found['verb']} {found['rest']}"


def _past_form(words: str) -> str:
    """What somebody did, of the words after *did*: marry, come to rule."""
    verb, space, rest = words.strip().partition(" ")
    return f" {_PAST.get(verb.lower(), verb)}{space or ' '}{rest} "


def relation_between(prose: Prose, one: NameSpan, words: str, other: NameSpan) -> str | None:
    """The relation that the words between two names state, all of them, if the types of the names suit it."""
    words = _TITLE.sub("", words) if prose.is_person(other) else words
    found = (each for each in relations_in(words) if fits(prose, each.relation, one, other, strictly=each.needs_types))
    return next((each.relation for each in found), None)


def _read_interrupted_clause(prose: Prose, one: NameSpan, begin: int, other: NameSpan) -> LoreClause | None:
    """A relation with a time inside its words: which until 188 AS was allied with."""
    for phrase in (*prose.phrases_in(one, begin, other.start), *_year_after_verb(prose, one, begin, other)):
        before, after = prose.text[begin : phrase.begin], prose.text[phrase.stop : other.start]
        if not before.strip(" ,([") and _is_life(prose, phrase):
            continue
        rest = _RELATIVE.sub(" ", f"{before.rstrip(' ,(')} {after.strip(' ,)')} ")
        relation = relation_between(prose, one, rest, other)
        if relation is not None:
            return LoreClause(one, relation, other, TextSpan(begin, other.start), phrase)
    return None


def _year_after_verb(prose: Prose, one: NameSpan, begin: int, other: NameSpan) -> Iterator[Phrase]:
    """The time of a birth or a death without a word such as *in* before it: (born 1122 in Tarnby)."""
    verb = _BORN.search(prose.text, begin, other.start)
    found = prose.moment(one, verb.end(), other.start) if verb else None
    if found is not None:
        yield found


def _is_life(prose: Prose, phrase: Phrase) -> bool:
    """Whether years stand bare after a name: (1702–1760) is how long somebody lived, or nobody can say what."""
    return _YEARS.match(prose.text, phrase.begin, phrase.stop) is not None


def _read_after_aside(prose: Prose, one: NameSpan, other: NameSpan) -> LoreClause | None:
    """A relation whose subject is described first: Cora (1702–1760), a weaver, was a member of."""
    begin = one.stop
    while (aside := _ASIDE.match(prose.text, begin, other.start)) is not None:
        begin = aside.end()
    found = _read_words(prose, one, begin, other) if begin > one.stop else None
    if found is None:
        return None
    reign = _REIGNED.match(prose.text, prose.text.find("(", one.stop) + 1, begin) if found.relation == "rules" else None
    phrase = found.phrase or (prose.phrase(one, reign.end(), begin) if reign else None)
    return found._replace(phrase=phrase, aside=TextSpan(one.stop, begin))


def _alone(prose: Prose, span: TextSpan, names: Sequence[NameSpan]) -> Iterator[LoreClause]:
    """Births and deaths with a time and no place."""
    for each in names:
        found = _ALONE.match(prose.text, each.stop, span.stop)
        phrase = prose.phrase(each, found.end(), span.stop) if found else None
        if found is None or phrase is None:
            continue
        yield LoreClause(each, found["verb"].lower(), None, TextSpan(each.stop, found.end()), phrase)
        died = _AND_DIED.match(prose.text, phrase.stop, span.stop) if found["verb"].lower() == "born" else None
        ended = prose.phrase(each, died.end(), span.stop) if died else None
        if died is not None and ended is not None:
            yield LoreClause(each, "died", None, TextSpan(*died.span()), ended)


def _add_time_phrase(prose: Prose, span: TextSpan, names: Sequence[NameSpan], clause: LoreClause) -> LoreClause:
    if clause.phrase is not None:
        return clause
    phrase = prose.phrase(clause.one, clause.stop, span.stop, _death_in(prose, clause))
    if clause.relation not in KINSHIP and is_aside(prose.text[clause.words.start : clause.words.stop]):
        is_apart = _COMMA.match(prose.text, clause.stop, span.stop) is not None
        return clause if is_apart else clause._replace(phrase=phrase)
    if phrase is not None and prose.is_person(clause.other) and _is_lifespan(prose, phrase):
        after = prose.phrase(clause.one, phrase.stop, span.stop)
        aside = TextSpan(phrase.begin, phrase.stop)
        return clause if after is None else clause._replace(phrase=after, aside=aside)
    return clause._replace(phrase=phrase or _leading_phrase(prose, span, names, clause.one))


def _is_lifespan(prose: Prose, phrase: Phrase) -> bool:
    return _is_life(prose, phrase) and _DASH.search(prose.text, phrase.begin, phrase.stop) is not None


def _leading_phrase(prose: Prose, span: TextSpan, names: Sequence[NameSpan], subject: NameSpan) -> Phrase | None:
    """A phrase that begins somewhere before the subject, reaches up to it and holds all other names before it."""
    before = [each for each in names if each.start < subject.start]
    begin = min((each.start for each in before), default=subject.start)
    cleft = _CLEFT.match(prose.text, span.start, subject.start)
    phrase = prose.phrase(subject, cleft.end(), subject.start) if cleft else None
    if phrase is not None and (that := _THAT.fullmatch(prose.text, phrase.stop, subject.start)):
        return phrase._replace(begin=span.start, stop=that.end())
    found = prose.phrases_in(subject, span.start, subject.start)
    for each in found:
        rest = _UP_TO_NAME.fullmatch(prose.text, each.stop, subject.start) if each.begin <= begin else None
        if rest is not None:
            return each._replace(stop=rest.end("verb")) if rest["verb"] else each
    return None


def bounds_in(prose: Prose, clause: LoreClause) -> tuple[str | None, str | None]:
    """The bounds of a clause by its phrase: a wedding begins something, a birth lies somewhere in its stretch."""
    phrase = clause.phrase
    if phrase is None:
        return None, None
    start, end = phrase.start, phrase.end
    if is_point(read_relation(clause.relation).name):
        point = _somewhere(start, end)
        return point, point
    begins = begins_relation(clause.relation, prose.text[clause.words.start : clause.words.stop])
    death = time_text(_death_in(prose, clause))
    if begins and phrase.sense == "at":
        return _somewhere(start, end), death
    if begins and phrase.sense in ("by", "before"):
        return time_text(end), death
    return time_text(start), time_text(end) or death


def _death_in(prose: Prose, clause: LoreClause) -> Time | None:
    """When the subject died, if the sentence tells it in passing: Jon (50–80 AE), Kuno, who died in 1190,."""
    if clause.aside is None:
        return None
    died = _DIED.search(prose.text, *clause.aside)
    if died is not None:
        found = prose.phrase(clause.one, died.end(), clause.aside.stop)
        return None if found is None else found.end
    years = prose.text.find("(", *clause.aside) + 1
    life = prose.phrase(clause.one, years, clause.aside.stop) if years and _YEARS.match(prose.text, years) else None
    return life.end if life is not None and _is_lifespan(prose, life) else None


def _somewhere(start: Time | None, end: Time | None) -> str | None:
    if start is not None and start == end:
        return start.text
    return f"[{time_text(start) or ''}..{time_text(end) or ''}]" if start is not None or end is not None else None

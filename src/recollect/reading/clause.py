"""A sentence as clauses, each with its polarity, its modality and the words it shares with the clause before.

Everything here is pure and works on plain English without a dictionary or a model. It is built to be cautious: an
explicit sign that a clause is not asserted always counts, and a sign of unknown reach reaches further.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from recollect.reading.cues import AFFIRMATIONS, CUES, SPEECH, TRAILING_SOURCE, Cue, Modality
from recollect.text.contrast import contrast
from recollect.text.negation import negator_pattern
from recollect.text.patterns import PatternGroup, lazy_pattern
from recollect.text.verbs import is_finite_verb, is_past_form, words_before_verb

Polarity = Literal["positive", "negative"]
ASSERTED: frozenset[Modality] = frozenset({"asserted", "habitual"})

_BOUNDARY = lazy_pattern(
    r"\s*[;—–]\s*|:\s+|\s+-\s+"
    r"|,?\s+(?:(?<!\bnothing )but|whereas|although|though|because|however)\b,?\s*|,\s+(?:and\s+)?yet\s+"
    r"|,\s+(?:and|or|so|while|which|who|where|when)\s+"
    r"|\s+and\s+(?:then|later|also|subsequently|finally|afterwards)\s+"
)
_AND = lazy_pattern(r"\s+and\s+")
_CLOSING = lazy_pattern(r"\b(?:but|yet|whereas|however|then)\b|[;—–]")
_QUOTE = lazy_pattern(r"[\"“«„]([^\"”»“]{8,})[\"”»“]")
_NEGATOR = lazy_pattern(negator_pattern(), re.IGNORECASE)
_QUESTION = lazy_pattern(r"\?[\"”')\]]*\s*$")
_DATED_START = lazy_pattern(r"(?:in|on|by|since|until|from)\s+(?:the\s+)?\S*\d")
_AT_A_TIME = lazy_pattern(r"\b(?:in|on|at|by|for|during|since|until|from)\s+(?:\S*\d|[A-Z])", re.IGNORECASE)
_LEADING_DATE = lazy_pattern(r"^(?:in|on|at|by|since|until|from)\s+\S*\d\S*,?\s+", re.IGNORECASE)
_SUBORDINATE = lazy_pattern(
    r"(?:Although|Though|While|When|After|Before|Because|Since|As|Despite|Even though|(?:Far from|Without) \w+ing)\b"
    r"[^,;]*(,\s+)"
)
_COUNTED = lazy_pattern(r"\d[\d,.]* (?!(?:in|on|at|by|for|during|since|until|from|of|to|and|or)\b)([a-z]+)")
_FIRST_WORD = lazy_pattern(r"[A-Za-z]+|\d")
_SENTENCE_CUES = PatternGroup([cue for cue in CUES if cue.reach == "sentence"], lambda cue: cue.pattern)
_CLAUSE_CUES = PatternGroup([cue for cue in CUES if cue.reach != "sentence"], lambda cue: cue.pattern)
# Capitalised at the start of a sentence these are as likely names or months as cues.
_NAMES_AS_CUES = frozenset({"Will", "May", "Hope", "Bid", "Wish", "Shall", "Must"})


class Clause(NamedTuple):
    """A stretch of a sentence that states, asks, hopes or denies one thing.

    `cue` holds the words that decided the modality. `shared` holds the words of an earlier clause that this one
    continues: in "opened in 1998 and closed in 2011" the second clause shares the subject of the first. `unit` is what
    the figure counts that begins such a clause, as the first one says.
    """

    text: str
    start: int
    stop: int
    modality: Modality = "asserted"
    polarity: Polarity = "positive"
    cue: str = ""
    shared: str = ""
    is_denied: bool = False
    unit: str = ""

    @property
    def is_asserted(self) -> bool:
        return self.modality in ASSERTED


@lru_cache(2_048)
def clauses(sentence: str) -> tuple[Clause, ...]:
    """The clauses of one sentence in their order."""
    over_all = _sentence_modality(sentence)
    found: list[Clause] = []
    for start, stop in _spans(sentence):
        outer = over_all or _continued(sentence, found, start)
        shared = _shared(sentence, found, start)
        for each in _clauses_of_span(sentence, start, stop):
            is_free = each.is_asserted or over_all is not None
            clause = each._replace(modality=outer[0], cue=outer[1]) if outer and is_free else each
            polarity = _polarity(clause)
            is_plain = not shared and polarity == clause.polarity
            unit = _unit(sentence, found, start) if shared else ""
            found.append(clause if is_plain else clause._replace(shared=shared, polarity=polarity, unit=unit))
    return tuple(found)


def _polarity(clause: Clause) -> Polarity:
    plain = AFFIRMATIONS.sub(" ", contrast(clause.text).kept)
    found = [word.lower() for word in _NEGATOR.findall(plain)]
    count = len(found) + clause.is_denied - ("neither" in found and "nor" in found)
    return "negative" if count % 2 else "positive"


def _sentence_modality(sentence: str) -> tuple[Modality, str] | None:
    if _QUESTION.search(sentence):
        return "asked", "?"
    if trailing := TRAILING_SOURCE.search(sentence):
        return "reported", trailing[0]
    plain = _searchable(sentence, 0, len(sentence))
    for cue in _SENTENCE_CUES.possible(plain):
        if match := cue.pattern.search(plain):
            return cue.modality, match[0]
    return None


def _searchable(sentence: str, start: int, stop: int) -> str:
    """The words of a span with affirming phrases blanked and a sentence-initial capital lowered, at equal length."""
    text = AFFIRMATIONS.sub(lambda match: " " * len(match[0]), sentence[start:stop])
    first = _FIRST_WORD.match(text)
    if start == 0 and first and first[0] not in _NAMES_AS_CUES:
        text = text[0].lower() + text[1:]
    return text


def _spans(sentence: str) -> Iterator[tuple[int, int]]:
    """Where the sentence is cut into coordinate and subordinate clauses."""
    at = 0
    cuts = [(match.start(), match.end()) for match in _BOUNDARY.finditer(sentence)]
    cuts += [(match.start(), match.end()) for match in _AND.finditer(sentence) if _joins_clauses(sentence, match)]
    if opening := _SUBORDINATE.match(sentence):
        cuts.append(opening.span(1))
    for stop, start in sorted(cuts):
        if stop > at:
            yield at, stop
            at = start
    if at < len(sentence):
        yield at, len(sentence)


def _joins_clauses(sentence: str, match: re.Match[str]) -> bool:
    """Whether `and` joins two statements rather than two nouns: a verb, or a second figure with its time, follows."""
    before, after = sentence[: match.start()], sentence[match.end() :]
    if re.search(r"\bbetween\s+[^,;]*$", before):
        return False
    first = _FIRST_WORD.match(after)
    if first is None:
        return False
    if first[0].isdigit() or _DATED_START.match(after):
        return bool(_AT_A_TIME.search(before) and _AT_A_TIME.search(after))
    return first[0].islower() and is_finite_verb(first[0])


def _shared(sentence: str, before: Sequence[Clause], start: int) -> str:
    """The subject of the first clause where this one has none, and its verb too where this one is a bare figure."""
    first = _FIRST_WORD.match(sentence, start)
    if not before or first is None:
        return ""
    head = before[0].text
    if first[0].isdigit():
        figure = re.search(r"\d", head)
        return head[: figure.start()].strip() if figure else ""
    is_open = is_finite_verb(first[0]) or _DATED_START.match(sentence, start) is not None
    subject = _LEADING_DATE.sub("", words_before_verb(head)) if is_open and first[0].islower() else ""
    return "" if re.search(r"\d", subject) else subject


def _unit(sentence: str, before: Sequence[Clause], start: int) -> str:
    """What the first figure counts, for a clause that begins with another one."""
    counted = _COUNTED.search(before[0].text) if sentence[start].isdigit() else None
    return counted[1] if counted is not None else ""


def _continued(sentence: str, before: Sequence[Clause], start: int) -> tuple[Modality, str] | None:
    """The modality that reaches into this span from the clause before it."""
    if not before or before[-1].is_asserted:
        return None
    last = before[-1]
    joint = sentence[last.stop : start]
    first = _FIRST_WORD.match(sentence, start)
    if _SUBORDINATE.match(sentence) and joint.strip() == ",":
        return None
    is_matrix_verb = last.modality != "reported" and first is not None and is_past_form(first[0])
    return None if _CLOSING.search(joint) or is_matrix_verb else (last.modality, last.cue)


def _clauses_of_span(sentence: str, start: int, stop: int) -> Iterator[Clause]:
    quoted = _quotation(sentence, start, stop)
    if quoted is not None:
        yield from _around(sentence, (start, stop), quoted)
        return
    found = _first_cue(sentence, start, stop)
    if found is None:
        yield Clause(sentence[start:stop], start, stop)
        return
    cue, match_start, match_stop = found
    words = sentence[match_start:match_stop]
    if cue.reach == "clause":
        yield Clause(sentence[start:stop], start, stop, cue.modality, cue=words)
    elif cue.negates:
        yield from _denied(sentence, (start, match_start), (match_stop, stop))
    else:
        yield Clause(sentence[start:match_stop], start, match_stop)
        if sentence[match_stop:stop].strip():
            yield Clause(sentence[match_stop:stop], match_stop, stop, cue.modality, cue=words)


def _denied(sentence: str, head: tuple[int, int], tail: tuple[int, int]) -> Iterator[Clause]:
    """What follows a denial, joined with its subject and denied; what is not asserted in it stays so."""
    for clause in _clauses_of_span(sentence, *tail):
        text = f"{sentence[head[0] : head[1]]}{clause.text.strip()}" if clause.start == tail[0] else clause.text
        yield clause._replace(text=text, start=head[0], is_denied=not clause.is_denied)


def _first_cue(sentence: str, start: int, stop: int) -> tuple[Cue, int, int] | None:
    """The outermost cue of a span: the one that begins first, whole-clause cues before those of complements."""
    plain = _searchable(sentence, start, stop)
    found: list[tuple[int, int, Cue, int]] = []
    for rank, cue in enumerate(_CLAUSE_CUES.possible(plain)):
        if (match := cue.pattern.search(plain)) is not None:
            found.append((match.start(), rank, cue, match.end()))
    if not found:
        return None
    decisive = [each for each in found if each[2].reach == "clause" and each[2].modality not in ASSERTED]
    at, _, cue, end = min(decisive or found, key=lambda each: each[:2])
    first = min(found, key=lambda each: each[:2])
    if first[2].reach == "complement" and first[0] < at:
        at, _, cue, end = first
    return cue, start + at, start + end


def _quotation(sentence: str, start: int, stop: int) -> tuple[int, int] | None:
    """A quoted statement, as opposed to a quoted title: it ends like a sentence, or somebody says it."""
    match = _QUOTE.search(sentence, start, stop)
    if match is None or len(match[1].split()) < 3:
        return None
    outside = sentence[: match.start()] + sentence[match.end() :]
    is_speech = match[1].rstrip()[-1] in ",.!?" or SPEECH.search(outside) is not None
    return (match.start(), match.end()) if is_speech else None


def _around(sentence: str, span: tuple[int, int], quoted: tuple[int, int]) -> Iterator[Clause]:
    if sentence[span[0] : quoted[0]].strip():
        yield Clause(sentence[span[0] : quoted[0]], span[0], quoted[0])
    yield Clause(sentence[slice(*quoted)], *quoted, "reported", cue='"')
    if sentence[quoted[1] : span[1]].strip(" .,"):
        yield Clause(sentence[quoted[1] : span[1]], quoted[1], span[1])

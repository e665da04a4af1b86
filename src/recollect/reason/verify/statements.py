"""What a sentence asserts and denies that bears on a claim, with contrasts resolved."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from recollect.reading.clause import Clause, clauses
from recollect.reading.cues import Modality
from recollect.reason.verify.bracketed_text import ends_bracket
from recollect.reason.verify.ellipsis import NUMBER, plain_phrases, plain_wording, write_out
from recollect.reason.verify.implied_clauses import implied_clauses
from recollect.text.content_words import content_token, split_words
from recollect.text.contrast import contrast, has_contrast
from recollect.text.lexicon import DETERMINERS
from recollect.text.stop_words import STATEMENT_STOP_WORDS
from recollect.text.verbs import is_finite_verb, is_past_form, words_before_verb

Frame = tuple[Modality, tuple[str, ...]]

_PART_OF = re.compile(
    rf"\b({NUMBER}) (?:out )?of (?:all |the |its |our |their |my |his |her )*(?:{NUMBER} )?(?=(?-i:[^\W\d_A-ZÀ-Þ]))",
    re.IGNORECASE,
)
_OTHER_THAN = re.compile(r"\b(is|are|was|were) (?:something|anything) (?:other than|but) ", re.IGNORECASE)
_CALLED = re.compile(
    r"^There (is|was) (an? [\w -]+?),? (?:called|named) ((?-i:[A-ZÀ-Þ])[^,;]*?)(?=\s*[.!]?$)", re.IGNORECASE
)
_BARE_FIGURE = re.compile(r"^([$€£¥]?\d[\d,.]*) (?=(?:in|on|at|by|for|during|since|until|from)\b)", re.IGNORECASE)
_JOINT = re.compile(r"\s*,\s+and\s+|\s+and\s+|\s+while\s+|\s*,\s+")
_LONGEST_DOER = 6
_PRONOUNS = frozenset("he she it they who which i we".split())
_DATED = re.compile(r"(?:in|on|at|by|since|until|from|after|before|during)\b", re.IGNORECASE)
_NO_DOER = frozenset("who which that whose whom to by of as and or with including not never".split())
_INFINITIVE = re.compile(r"(?:\b(?P<before>[\w'’]+) )?\bto (?P<verb>[a-z]+)\b")
_GERUND = re.compile(r"(?:\b(?P<outer>[\w'’]+) )?\b(?P<before>[a-z]+) (?P<verb>[a-z]+ing)\b")
# After these words an infinitive or a gerund was carried out.
_CARRIED_OUT = frozenset(
    "manage manages managed continue continues continued on proceed proceeded happen happened used "
    "known first last only one person ceased stopped kept finished completed enjoyed loved remembered".split()
)
# After these words with a preposition, too.
_OWNED_UP = frozenset(
    "known famous noted responsible credited remembered renowned awarded honoured honored convicted guilty praised "
    "admitted confessed finished".split()
)
_NOT_YET = frozenset("before without".split())
_UNPROVEN = frozenset("of from with for about against at off without to into as".split())
_CHARGE = re.compile(
    r"\b(?:accused|acquitted|suspected|exonerated|indicted|blamed|cleared"
    r"|(?:charged|tried|arrested|wanted|sued) (?:with|for))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ClaimForm:
    """The form of a claim: whether it is denied, its modalities, and which of its words are past forms."""

    text: str
    is_denied: bool
    frames: frozenset[Frame]
    past: frozenset[str]
    has_contrast: bool


@dataclass(frozen=True, slots=True)
class ClauseStatement:
    """A text that a sentence asserts or denies, and the phrases that it rules out in favour of others."""

    text: str
    is_denied: bool = False
    is_over: bool = False
    ruled_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SentenceStatements:
    """The statements of a sentence one by one, and everything it asserts as a whole."""

    single: tuple[ClauseStatement, ...] = ()
    whole: ClauseStatement | None = None
    implied: tuple[ClauseStatement, ...] = ()
    """What it states besides, in fewer words: see `implied_clauses`."""

    @property
    def all(self) -> tuple[ClauseStatement, ...]:
        return self.single if self.whole is None else (*self.single, self.whole)


def claim_form(claim: str) -> ClaimForm:
    """The form of a claim; a denial around it is removed and recorded."""
    claim = _OTHER_THAN.sub(r"\1 not ", plain_phrases(claim))
    parts = clauses(claim)
    denied = [part for part in parts if part.is_denied]
    text = " ".join(_clause_text(part) for part in parts) if denied else claim
    return ClaimForm(_simplify(text), len(denied) % 2 == 1, _frames(parts), _past_tokens(claim), has_contrast(claim))


def _past_tokens(claim: str) -> frozenset[str]:
    """The tokens of the past forms of a claim, including verbs after `did`."""
    spoken = [word for word in split_words(claim) if word not in ("not", "never", "ever")]
    behind_did = [word for before, word in pairwise(spoken) if before == "did"]
    return frozenset(map(content_token, (*filter(is_past_form, spoken), *behind_did)))


def extract_statements(sentence: str, claim: ClaimForm) -> SentenceStatements:
    """The statements of a sentence that are asserted, or have the same modality as the claim."""
    sentence, implied = implied_clauses(sentence)
    sentence = plain_wording(sentence)
    found = None if claim.has_contrast else contrast(sentence)
    kept, ruled_out = (sentence, ()) if found is None else (found.kept, found.ruled_out)
    kept = write_out(kept)
    parts = [each for part in clauses(kept) for each in _split_coordinate(part)]
    if not claim.frames <= _frames(parts):
        return SentenceStatements()
    usable = [part for part in parts if part.is_asserted or _frame(part) in claim.frames]
    usable = [part for part in usable if not _is_reason_denied(kept, part)]
    single = tuple(_build_statement(part, claim, ruled_out) for part in usable) if not claim.frames else ()
    positive = _join_clauses([part for part in usable if not part.is_denied])
    is_over = any(map(_is_over, usable))
    whole = ClauseStatement(_drop_intentions(positive, claim), is_over=is_over, ruled_out=ruled_out)
    denied = tuple(_build_statement(part, claim, ruled_out) for part in usable if part.is_denied and claim.frames)
    told = tuple(ClauseStatement(plain_wording(each)) for each in implied) if not claim.frames else ()
    return SentenceStatements((*single, *denied), whole if positive else None, told)


def _is_reason_denied(sentence: str, part: Clause) -> bool:
    """Whether a negation may only deny the reason: *did not win because he cheated*."""
    return part.polarity == "negative" and sentence[part.stop :].lstrip(" ,").startswith("because")


def _join_clauses(parts: Sequence[Clause]) -> str:
    """All that the clauses assert of the doer of the first; empty if another one has a doer of its own."""
    is_single = not parts or not words_before_verb(parts[0].text)
    is_single = is_single or not any(_has_other_doer(_clause_text(part)) for part in parts[1:])
    return ", ".join(_clause_text(part) for part in parts) if is_single else ""


def _has_other_doer(text: str) -> bool:
    doer = words_before_verb(text)
    is_doer = bool(doer) and split_words(doer)[:1] != [] and split_words(doer)[0] not in _PRONOUNS
    return is_doer and not _DATED.match(text) and not ends_bracket(doer)


def _split_coordinate(part: Clause) -> Iterator[Clause]:
    """A clause cut where a second one with its own doer begins: *Ada is 34 and Bo is 29*."""
    start = 0
    for match in _JOINT.finditer(part.text) if part.is_asserted and not part.is_denied else ():
        if _begins_clause(part.text[start : match.start()], part.text[match.end() :]):
            yield part._replace(text=part.text[start : match.start()], shared="" if start else part.shared)
            start = match.end()
    yield part._replace(text=part.text[start:], shared="") if start else part


def _begins_clause(before: str, after: str) -> bool:
    """Whether a doer and a verb follow a clause that has both; a present form is known where it stands in both."""
    first, second = before.split(), after.split()[:_LONGEST_DOER]
    verbs = {word for word in first[1:] if is_finite_verb(word) or (word.endswith("s") and word in second[1:])}
    at = next((at for at, word in enumerate(second) if is_finite_verb(word) or word in verbs), 0)
    is_doer = not any(word.endswith(",") or word.lower() in _NO_DOER for word in second[:at])
    return bool(verbs) and at > 0 and is_doer


def is_stated_alike(text: str, claim: ClaimForm) -> bool:
    """Whether all of a text has the form of the claim: asserted, or with the same modality."""
    return _frames(clauses(text)) == claim.frames


def _build_statement(part: Clause, claim: ClaimForm, ruled_out: tuple[str, ...]) -> ClauseStatement:
    text = f"{part.shared} {_with_unit(part)}" if part.shared else _clause_text(part)
    return ClauseStatement(_drop_intentions(text, claim), part.is_denied, _is_over(part), ruled_out)


def _with_unit(part: Clause) -> str:
    """A clause that is a bare figure, with what is counted: *340 people in 2023 and 410 in 2024*."""
    return _BARE_FIGURE.sub(rf"\1 {part.unit} ", _clause_text(part)) if part.unit else _clause_text(part)


def _clause_text(part: Clause) -> str:
    return part.text.strip()


def _is_over(part: Clause) -> bool:
    return part.modality == "habitual" and part.cue.endswith("to")


def _frames(parts: Sequence[Clause]) -> frozenset[Frame]:
    return frozenset(_frame(part) for part in parts if not part.is_asserted)


def _frame(part: Clause) -> Frame:
    """The modality of a clause with the words that express it, without inflection."""
    spoken = split_words(part.cue)
    content = tuple(content_token(word) for word in spoken if word not in STATEMENT_STOP_WORDS)
    return part.modality, content or tuple(spoken)


def _drop_intentions(text: str, claim: ClaimForm) -> str:
    """The text up to an infinitive that the claim lacks, or a gerund or imperative of a verb that it has as past."""
    plain = _simplify(text)
    opening = split_words(plain)[:1]
    if opening and content_token(opening[0]) in claim.past and not is_past_form(opening[0]):
        return ""
    charge = _CHARGE.search(plain)
    if charge is not None and content_token(split_words(charge[0])[0]) not in claim.past:
        return plain[: charge.start()]
    for match in _GERUND.finditer(plain):
        if _is_governed(match["before"], match["outer"] or "") and content_token(match["verb"]) in claim.past:
            return plain[: match.start("before")]
    for match in _INFINITIVE.finditer(plain):
        if _is_unproven(match, claim):
            return plain[: match.start("verb") - len("to ")]
    return plain


def _is_unproven(match: re.Match[str], claim: ClaimForm) -> bool:
    """Whether an infinitive names a deed that is not told to be done: *too ill to drive*, *left to feed the horses*."""
    is_infinitive = match["verb"] not in DETERMINERS and f" to {match['verb']}" not in claim.text.lower()
    return is_infinitive and (match["before"] or "").lower() not in _CARRIED_OUT


def _is_governed(before: str, outer: str) -> bool:
    """Whether what a gerund names is left open by the words before it: *put off selling*, *afraid of losing*."""
    if before in _NOT_YET:
        return True
    if before in _UNPROVEN:
        return outer not in _OWNED_UP | _CARRIED_OUT
    return is_past_form(before) and before not in _CARRIED_OUT


def _simplify(text: str) -> str:
    """The text with "two of the nine members" as "two members", and "there is a town called Lund" as a plain one."""
    return _CALLED.sub(r"\3 \1 \2", _PART_OF.sub(r"\1 ", text))

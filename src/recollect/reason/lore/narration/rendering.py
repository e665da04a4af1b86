"""Texts of numbered sentences with citations: styles, and a model's rewrite that is checked."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from recollect.llm.answers import DATA_RULE, delimit_text
from recollect.llm.port import LanguageModel, ModelRequest, ModelUnavailable
from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.model.trust import OWNER, Trust, is_low
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.narration.sentences import RelationSentence, build_sentences
from recollect.reason.lore.relation import Relation
from recollect.reason.lore.sources import affirming_sources, confidence_of, source_names
from recollect.resolve.name_finder import find_names
from recollect.store.view import View
from recollect.text.prompt_injection import find_suspicions
from recollect.text.sentences import spans_in_block
from recollect.text.stop_words import STOP_WORDS
from recollect.text.tokens import words as split_words
from recollect.when.english.words import NUMBER_WORDS
from recollect.when.period import Time

NarrationStyle = Literal["bullet", "paragraph", "chronicle", "whispers"]

DISPUTE_NOTE = ", though the sources disagree"

# The verb phrase of a state when only its start is narrated.
INCHOATIVE_PHRASES = {
    "ruled": "came to rule",
    "controlled": "took control of",
    "was a member of": "joined",
    "belonged to": "came to belong to",
    "served": "entered the service of",
    "worshipped": "began to worship",
    "practised": "began to practise",
    "spoke": "began to speak",
    "was in": "came to",
    "lived in": "settled in",
    "held the title": "took the title",
    "claimed the title": "laid claim to the title",
    "possessed": "came to possess",
    "was allied with": "allied with",
    "was an enemy of": "became an enemy of",
    "was at war with": "went to war with",
    "was married to": "married",
    "was a partner of": "became a partner of",
    "was part of": "became part of",
    "was the capital of": "became the capital of",
}


def render_sentences(style: NarrationStyle, numbered: Sequence[tuple[int, RelationSentence]]) -> str:
    """The numbered sentences in a style."""
    match style:
        case "bullet":
            return "\n".join(f"- {render_plain(each, number)}" for number, each in numbered)
        case "chronicle":
            return "\n".join(_render_chronicle(each, number) for number, each in numbered)
        case "whispers":
            return " ".join(f"I heard that {render_plain(each, number)}" for number, each in numbered)
        case _:
            return " ".join(render_plain(each, number) for number, each in numbered)


def render_plain(sentence: RelationSentence, number: int) -> str:
    """One sentence with its time and its number."""
    return f"{sentence.phrase.statement}{_dispute_note(sentence)} [{number}]."


def _render_chronicle(sentence: RelationSentence, number: int) -> str:
    phrase, start = sentence.phrase, sentence.start
    if start is None:
        return f"At a time not recorded, {render_plain(sentence, number)}"
    if sentence.time.valid_until != start and sentence.relation.fact.valid_from == start:
        phrase = phrase._replace(deed=INCHOATIVE_PHRASES.get(phrase.deed, phrase.deed))
    return f"In {start}, {phrase.claim}{_dispute_note(sentence)} [{number}]."


def _dispute_note(sentence: RelationSentence) -> str:
    """That sources disagree, that nobody vouches for the one that says it, that it looks like an attack."""
    trust = sentence.relation.fact.trust
    doubts = [f"{trust} source"] if is_low(trust) else []
    doubts += ["suspect"] if find_suspicions(sentence.phrase.statement) else []
    return (DISPUTE_NOTE if sentence.disputed else "") + (f" ({'; '.join(doubts)})" if doubts else "")


class Citation(NamedTuple):
    """The source behind one number of a text."""

    number: int
    fact: FactId
    statement: str
    at: Time | None
    sources: tuple[str, ...]
    confidence: float | None
    disputed: bool
    documents: tuple[DocumentId, ...]
    trust: Trust = OWNER


class Narration(NamedTuple):
    """A text in which every sentence has a number, and the citations behind the numbers."""

    text: str
    sentences: tuple[RelationSentence, ...] = ()
    citations: tuple[Citation, ...] = ()


def narrate(lore: LoreReader, relations: Iterable[Relation], *, limit: int) -> Narration:
    """The first relations as a paragraph, in the order given, with numbered sentences."""
    sentences = build_sentences(lore, relations)[:limit]
    text = render_sentences("paragraph", list(enumerate(sentences, 1)))
    return Narration(text, tuple(sentences), citations_of(lore, sentences))


def citations_of(lore: LoreReader, sentences: Sequence[RelationSentence]) -> tuple[Citation, ...]:
    """The citations of these sentences, numbered from one."""
    lore.sources(each.relation.id for each in sentences)
    return tuple(_citation_of(lore, number, each) for number, each in enumerate(sentences, 1))


def _citation_of(lore: LoreReader, number: int, sentence: RelationSentence) -> Citation:
    fact = sentence.relation.fact
    sources = lore.sources([fact.id]).get(fact.id, [])
    documents = dict.fromkeys(each.document for each in affirming_sources(sources) if each.document is not None)
    return Citation(
        number,
        fact.id,
        sentence.phrase.statement,
        sentence.start or sentence.time.valid_until,
        tuple(source_names(sources)),
        confidence_of(sources),
        sentence.disputed,
        tuple(documents),
        fact.trust,
    )


REWRITE_PROMPT = (
    "You retell numbered sentences as one flowing text. Use only what they say: no other name, number, time or event."
    " Write names and times exactly as they stand. End every sentence with the numbers in brackets of the sentences it"
    " rests on, before the full stop, such as: House Orrin ruled Halden from second_tide.year_25 [3]."
    " Answer with the text alone. " + DATA_RULE
)
MAX_ANSWER_TOKENS = 4000

_CITATION = re.compile(r"\[(\d+(?:\s*,\s*\d+)*)\]")
_LATE_CITATION = re.compile(r"([.!?])\s*((?:\[[\d,\s]+\]\s*)+)")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_DIGITS = re.compile(r"\d+")
_NUMBER_WORDS = frozenset(
    "hundred thousand million dozen dozens hundreds thousands twice thrice decade decades century centuries".split()
    + sorted(NUMBER_WORDS.keys() - {"one"})
)
_OPENING_WORDS = frozenset(
    "later soon meanwhile afterwards finally eventually thus hence therefore still yet once since during upon "
    "earlier together likewise also however although though thereafter".split()
)
_OPENING_SUFFIXES = ("ing", "ed", "ly")


class RewrittenText(NamedTuple):
    """The grounded sentences of a model's text, and how many were dropped."""

    text: str
    dropped: int


def rewrite_with_model(
    view: View, model: LanguageModel, sentences: Sequence[RelationSentence], numbered: str
) -> RewrittenText | None:
    """A model's version of the numbered sentences; none if it did not answer or no sentence is grounded."""
    try:
        answer = model.answer(
            ModelRequest(REWRITE_PROMPT, delimit_text(numbered, "SENTENCES"), None, MAX_ANSWER_TOKENS)
        )
    except ModelUnavailable:
        return None
    cited = dict(enumerate(sentences, 1))
    paragraphs = [split_sentences(each) for each in _PARAGRAPH.split(answer)]
    grounded = [[each for each in paragraph if is_grounded(view, each, cited)] for paragraph in paragraphs]
    dropped = sum(map(len, paragraphs)) - sum(map(len, grounded))
    text = "\n\n".join(" ".join(each) for each in grounded if each)
    return RewrittenText(text, dropped) if text else None


def split_sentences(text: str) -> list[str]:
    """A text in sentences; numbers after a full stop belong to what stands before it."""
    joined = _LATE_CITATION.sub(lambda found: f" {found[2].strip()}{found[1]} ", text)
    return [line[start:stop] for line in joined.splitlines() for start, stop in spans_in_block(line)]


def is_grounded(view: View, sentence: str, cited: Mapping[int, RelationSentence]) -> bool:
    """Whether a sentence cites existing numbers, and adds no name or number that its sources lack."""
    numbers = {int(number) for found in _CITATION.findall(sentence) for number in found.split(",")}
    if not numbers or not numbers <= cited.keys():
        return False
    sources = [cited[number] for number in sorted(numbers)]
    bare = _CITATION.sub(" ", sentence)
    return _has_no_new_numbers(bare, sources) and _has_no_new_names(view, bare, sources)


def _has_no_new_numbers(bare: str, sources: Sequence[RelationSentence]) -> bool:
    known = " ".join(each.phrase.statement for each in sources)
    figures = set(_DIGITS.findall(bare)) <= set(_DIGITS.findall(known))
    counts = _NUMBER_WORDS & set(_words(bare)) <= set(_words(known))
    return figures and counts


def _has_no_new_names(view: View, bare: str, sources: Sequence[RelationSentence]) -> bool:
    ends = {end for each in sources for end in each.relation.ends}
    known = " ".join(each.phrase.statement for each in sources)
    found = ((bare[each.start : each.stop], each.entities) for each in find_names(view, bare))
    if not all(_is_known_name(text, entities, ends, known) for text, entities in found):
        return False
    words, names = set(_words(known)), _name_candidates(bare)
    return all(name.casefold() in words for name in names)


def _is_known_name(text: str, entities: Collection[EntityId], ends: Collection[EntityId], known: str) -> bool:
    return bool(set(entities) & set(ends)) or text.casefold() in known.casefold()


def _name_candidates(bare: str) -> Iterable[str]:
    """Words that look like names; the first word may be capitalized for its position alone."""
    words = split_words(bare)
    for at, word in enumerate(words):
        if word[:1].isupper() and word != "I" and not (at == 0 and _may_open_sentence(word)):
            yield word


def _may_open_sentence(word: str) -> bool:
    folded = word.casefold()
    return folded in STOP_WORDS or folded in _OPENING_WORDS or folded.endswith(_OPENING_SUFFIXES)


def _words(text: str) -> list[str]:
    return [word.casefold() for word in split_words(text)]

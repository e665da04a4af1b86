"""What the sentences of a record tell: promises, decisions, blockers, requests, commitments, what is settled."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from recollect.ingest.extract.cast import PERSON
from recollect.ingest.extract.cues import cue_of, may_say
from recollect.ingest.extract.deadlines import deadline
from recollect.ingest.extract.fields_told import PROJECT
from recollect.ingest.extract.new_text import Sentence, sentences
from recollect.ingest.extract.said_by import Cue, turn_of
from recollect.ingest.extract.told import Told
from recollect.ingest.extract.types import sender_zone
from recollect.model.document import Document
from recollect.model.entity import NAME_LIMIT, Entity
from recollect.model.fact import Label
from recollect.model.ids import EntityId
from recollect.model.names import fold, tokens
from recollect.model.stop_words import STOP_WORDS
from recollect.resolve.spot import spot
from recollect.store.change import Change
from recollect.when.instant import local_date
from recollect.when.problems import BadTime

_WITH_DEADLINE = frozenset({"commitment", "promise", "request"})
_EVENTS = frozenset({"resolution"})
LONGEST_TEXT = 200_000
MOST_SENTENCES = 400
LONGEST_SENTENCE = 1_500
"""What goes on for longer is no sentence that anybody wrote."""
_BETWEEN = " \N{PILCROW SIGN} "  # no name goes on over it


@dataclass(frozen=True, slots=True)
class Speaking:
    """Whose words a record holds: its speaker, found when first needed, and whom it addresses."""

    speaker: Callable[[], Entity | None]
    recipients: Sequence[Entity]


def speaking_sentences(text: str | None) -> list[Sentence]:
    """The sentences that may tell something, depending on who is known."""
    found = sentences(text[:LONGEST_TEXT]) if text else []
    return [each for each in found if len(each.read) <= LONGEST_SENTENCE and may_say(each.read)][:MOST_SENTENCES]


def awaited_words(title: str | None, found: Sequence[Sentence]) -> set[str]:
    """The words by which a name that comes later may matter to these sentences."""
    text = " ".join([title or "", *(each.read for each in found)])
    return {word for token in tokens(fold(text)) if (word := word_of(token))}


def word_of(token: str) -> str | None:
    """A token as it is awaited: without the signs around it; none if it is too common, or no word at all."""
    word = token.strip("\"'“”‘’«»„()[]{}<>,;:!?…*#`~|=+&@^%$").removesuffix("'s")
    return word if 1 < len(word) <= NAME_LIMIT and word not in STOP_WORDS else None


def from_sentences(
    change: Change,
    document: Document,
    found: Sequence[Sentence],
    speaking: Speaking,
    *,
    has_projects: bool = True,
) -> Iterator[Told]:
    """The facts of these sentences, at most one of each."""
    cues = [(each, _cue(change, document, each)) for each in found]
    spoken = [(each, cue, _subject(change, cue, speaking)) for each, cue in cues if cue is not None]
    telling = [(each, cue, subject) for each, cue, subject in spoken if subject is not None]
    if not telling:
        return
    texts = [document.title or "", *(each.read for each, _, _ in telling)]
    in_title, *projects = projects_in(change, texts) if has_projects else [[] for _ in texts]
    for (each, cue, subject), own in zip(telling, projects, strict=True):
        yield _told(change, document, each, cue, subject, _object(cue, own or in_title, speaking))


def _cue(change: Change, document: Document, sentence: Sentence) -> Cue | None:
    """What a sentence does and who does it; a name that begins a mail, though, is whom it greets."""

    def person(name: str) -> str | None:
        return _person_named(change, name)

    cue = cue_of(sentence.read, person)
    if cue is None or cue.subject is not None or document.type == "email":
        return cue
    return Cue(cue.fact_type, turn_of(sentence.read, person))


def _subject(change: Change, cue: Cue, speaking: Speaking) -> Entity | None:
    return change.entity(EntityId(cue.subject)) if cue.subject is not None else speaking.speaker()


def _object(cue: Cue, projects: Sequence[Entity], speaking: Speaking) -> Entity | None:
    if projects:
        return projects[0] if len(projects) == 1 else None
    return speaking.recipients[0] if cue.fact_type == "request" and len(speaking.recipients) == 1 else None


def _told(
    change: Change, document: Document, sentence: Sentence, cue: Cue, subject: Entity, target: Entity | None
) -> Told:
    said = " ".join(sentence.quote.split())
    words = said if fold(said).startswith(fold(subject.name)) else f"{subject.name}: {said}"
    until = _due(change, document, sentence) if cue.fact_type in _WITH_DEADLINE else None
    label: Label = "TRANSITIONED" if cue.fact_type in _EVENTS else "ASSERTED"
    return Told(label, cue.fact_type, subject, target, words, "stated", document.source_at, sentence.quote, until)


def _due(change: Change, document: Document, sentence: Sentence) -> str | None:
    """The deadline in a sentence, counted from the day on which it was written, in the zone of a mail's sender."""
    zone = sender_zone(document.type, document.properties) or change.timeline.zone
    try:
        due = deadline(sentence.read, local_date(document.source_at, zone))
    except BadTime:
        return None
    return due.isoformat() if due is not None else None


def _person_named(change: Change, name: str) -> str | None:
    """The id of the one person of this name or alias."""
    known = change.entities_named(fold(name))
    for kind in ("name", "alias"):
        people = {entity.id for known_as, entity in known if known_as == kind and entity.type == PERSON}
        if people:
            return next(iter(people)) if len(people) == 1 else None
    return None


def projects_in(change: Change, texts: Sequence[str]) -> list[list[Entity]]:
    """For each text the known projects that it names, each once; all are looked through at once."""
    found: list[dict[EntityId, Entity]] = [{} for _ in texts]
    starts = list(accumulate((len(text) + len(_BETWEEN) for text in texts), initial=0))
    for spotted in spot(change, _BETWEEN.join(texts)):
        entities = (change.entity(each) for each in spotted.entities)
        projects = {each.id: each for each in entities if each is not None and each.type == PROJECT}
        found[bisect_right(starts, spotted.start) - 1] |= projects
    return [list(each.values()) for each in found]

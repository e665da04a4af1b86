"""Reading one record: noise is marked and left alone, everything else tells who is in it and what was said."""

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field

from recollect.ingest.extract.cast import Cast
from recollect.ingest.extract.employers import suggest_employer
from recollect.ingest.extract.fields_told import from_fields, issue_of
from recollect.ingest.extract.new_text import signature
from recollect.ingest.extract.party import Party, name_of_address, parties_of, party_of
from recollect.ingest.extract.sentences_told import Speaking, awaited_words, from_sentences, speaking_sentences
from recollect.ingest.extract.told import RULES, Told, write_told
from recollect.ingest.extract.types import field_of, lacking, record_type, text_of
from recollect.model.document import KEY_LIMIT, Document
from recollect.model.entity import Entity
from recollect.model.fact import Assertion
from recollect.model.ids import EntityId
from recollect.model.names import fold, fold_words
from recollect.settings import Settings
from recollect.store.change import Change
from recollect.write.ends import add_alias

NOISE = "noise"
MARK = "classification"


@dataclass(frozen=True, slots=True)
class Rules:
    """What a workspace adds to the built-in rules."""

    providers: frozenset[str] = frozenset()
    has_projects: bool = True
    """Whether any project was known when the run began; those that come later are seen to afterwards."""


BUILT_IN = Rules()


def rules_for(settings: Settings, has_projects: bool = True) -> Rules:
    """The rules with the settings of a workspace: `pearscarf.public_mail_domains` adds providers."""
    given = settings.get("pearscarf.public_mail_domains") or ()
    names = given.split(",") if isinstance(given, str) else given
    return Rules(frozenset(str(name).strip().casefold() for name in names), has_projects)


@dataclass(slots=True)
class Read:
    """What reading a record came to."""

    facts: int = 0
    warnings: list[str] = field(default_factory=list)


def read_record(
    change: Change,
    document: Document,
    text: str | None,
    before: Iterable[Assertion] | None,
    rules: Rules = BUILT_IN,
    named: Set[EntityId] = frozenset(),
) -> Read:
    """Write what a record tells; `before` is what it told when it was last read, none if it is new.

    `named` are entities that somebody else found in it.
    """
    cast = Cast(change, document.source_at, rules.providers)
    missing = lacking(document)
    found = speaking_sentences(text)
    told: list[Told] = []
    if document.properties.get(MARK) in (None, "relevant"):
        if not missing:
            told += _people(change, cast, document, text)
            told += from_fields(change, cast, document)
        speaking = _speaking(cast, document, is_whole=not missing)
        told += from_sentences(change, document, found, speaking, has_projects=rules.has_projects)
        _await(change, document, awaited_words(document.title, found) if found else set())
    told = list({_claimed(each): each for each in reversed(told)}.values())[::-1]
    write_told(change, _sourced(change, document), told, list(before or ()))
    ends = {end.id for each in told for end in (each.subject, each.target) if end is not None}
    everyone = cast.everyone() | _linked(change, document) | ends | named
    mention(change, document, everyone, set() if before is None else set(change.mentioned(document.id)))
    return Read(len(told), [_lacks(document, missing)] if missing else [])


def _claimed(told: Told) -> tuple[object, ...]:
    """What makes two tellings of one record the same."""
    target = told.target.id if told.target is not None else None
    return told.label, told.fact_type, told.subject.id, target, fold_words(told.words or ""), told.source_at


def _sourced(change: Change, document: Document) -> Document:
    """The record as a source: a change is found where its issue is."""
    issue = issue_of(change, document) if document.type == "linear_issue_change" else None
    return document._replace(url=issue.url) if issue is not None and issue.url else document


def _linked(change: Change, document: Document) -> set[EntityId]:
    """What the links of a note lead to, where the name is known and only one has it."""
    links = document.properties.get("links")
    found: set[EntityId] = set()
    for link in links if isinstance(links, list) else ():
        known = {entity.id for kind, entity in change.entities_named(fold(str(link))) if kind in ("name", "alias")}
        found |= known if len(known) == 1 else set()
    return found


def _lacks(document: Document, missing: list[str]) -> str:
    named = f"record {document.key[:80]!r} ({document.type[:80]})"
    return f"{named} lacks {', '.join(missing)}: kept, but its fields were not read"


def own_assertions(change: Change, document: Document) -> list[Assertion]:
    """What the rules made of a record when it was last read."""
    return [each for each in change.assertions_from(document.id) if each.extracted_by == RULES]


def _parties(document: Document) -> Iterator[Party]:
    for key in record_type(document.type).people:
        yield from parties_of(field_of(document, key)) if key in _LISTS else _one(document, key)


_LISTS = frozenset({"recipients", "cc", "reviewers", "assignees"})


def _one(document: Document, key: str) -> list[Party]:
    party = party_of(field_of(document, key))
    return [party] if party is not None else []


def _people(change: Change, cast: Cast, document: Document, text: str | None) -> Iterator[Told]:
    """Everybody in the record, and where each writes from."""
    parties = list(dict.fromkeys(_parties(document)))
    for party in parties:
        cast.person(party)
    for party in parties:
        suggested = suggest_employer(change, cast, party, document.source_at)
        if suggested is not None:
            yield suggested
    _signed(change, cast, document, text)


def _signed(change: Change, cast: Cast, document: Document, text: str | None) -> None:
    """A mail without a display name may be signed with the whole name that its address only begins."""
    party = party_of(document.properties.get("sender")) if document.type == "email" and text else None
    person = cast.person(party) if party is not None and party.name is None else None
    lines = signature(text) if text and person is not None else []
    read = name_of_address(party) if party is not None else None
    if person is None or read is None or not lines:
        return
    if _spells(read.name, lines[0].split()):
        add_alias(change, person, lines[0])


def _spells(read: str, words: list[str]) -> bool:
    """Whether a name read off an address is this one: its first name, or its initial and its last name."""
    is_name = 2 <= len(words) <= 4 and all(
        word.replace("-", "").replace(".", "").isalpha() and word[:1].isupper() for word in words
    )
    parts = fold(read).split()
    return is_name and (
        parts[0] in (fold(words[0]), fold(words[0][0] + words[-1])) or parts == [fold(words[0][0]), fold(words[-1])]
    )


def _speaking(cast: Cast, document: Document, *, is_whole: bool) -> Speaking:
    speaker = party_of(field_of(document, record_type(document.type).speaker))
    addressed: dict[EntityId, Entity] = {}
    for party in parties_of(document.properties.get("recipients")) if is_whole else ():
        person = cast.person(party)
        if person is not None:
            addressed[person.id] = person
    return Speaking(lambda: cast.person(speaker) if speaker is not None else None, list(addressed.values()))


def _await(change: Change, document: Document, words: set[str]) -> None:
    if document.type == "linear_issue_change":
        words = words | {issue_word(text_of(document.properties.get("issue_record_id")) or "")}
    rows = [{"ws": change.ws, "word": word, "document": document.id} for word in sorted(words)]
    if rows:
        change.connection.run_many("awaited_add", rows)


def issue_word(key: str) -> str:
    """Under what a change awaits its issue; no token of a text has a space, and no issue a longer key."""
    return f"issue {key[:KEY_LIMIT]}"


def mention(change: Change, document: Document, wanted: set[EntityId], held: set[EntityId]) -> None:
    """Let a document mention these and no others."""
    if not wanted <= held:
        change.add_mentions(document.id, sorted(wanted - held))
    for entity in sorted(held - wanted):
        change.end_mention(document.id, entity)

"""Rule-based extraction of one record, and re-reading records when new names matter to them.

The steps of `read_record`: people of the fields (`ingest/party_resolver.py`), facts of the fields
(`ingest/extract/facts.py`), facts of the text (`ingest/extract/record_text.py`), words under which later names are
awaited, comparison with the last reading (`write/source_reconciliation.py`), mentions (`write/entity_refs.py`).
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field

from recollect.ingest.cut_texts import whole_sentences
from recollect.ingest.extract.facts import (
    PROJECT,
    facts_from_fields,
    record_source,
    suggest_employer,
    withdraw_suggested_employers,
)
from recollect.ingest.extract.mail_text import signature_lines
from recollect.ingest.extract.record_text import ReadingRun, TextResult, awaited_token, is_note, read_text
from recollect.ingest.extract.text_facts import MAX_FACTS
from recollect.ingest.extract.text_people import PeopleDirectory
from recollect.ingest.parties import name_from_address
from recollect.ingest.party_resolver import COMPANY, PERSON, PartyResolver
from recollect.ingest.record_types import AWAIT_ISSUES, CLASSIFICATION, field_text, missing_fields, record_type
from recollect.memory import Memory
from recollect.model.document import KEY_LIMIT, REMEMBERED, Document
from recollect.model.entity import NAME_LIMIT
from recollect.model.fact import Assertion, ends_of_facts
from recollect.model.ids import DocumentId, EntityId
from recollect.model.names import fold, fold_words
from recollect.model.trust import trust_in
from recollect.settings import Settings
from recollect.store import ingest_queries as queries
from recollect.store.change import Change
from recollect.store.view import View
from recollect.text.tokens import name_tokens
from recollect.text_models.pair_model import reader_for
from recollect.text_models.sentence import SentenceReader
from recollect.write.entity_refs import set_mentions
from recollect.write.fact_draft import RULES, FactDraft
from recollect.write.lookup import NAME_OR_ALIAS, LookupPolicy, LookupStep, any_entity
from recollect.write.names import add_alias, name_text
from recollect.write.source_reconciliation import reconcile_source

NOISE = "noise"


@dataclass(frozen=True, slots=True)
class ExtractionRules:
    """What a workspace adds to the built-in rules."""

    providers: frozenset[str] = frozenset()
    has_projects: bool = True
    """Whether a project was known when the run began; records are read again for later ones."""
    reader: SentenceReader | None = None
    """Reads clauses without a cue."""


DEFAULT_RULES = ExtractionRules()


def load_rules(settings: Settings, has_projects: bool = True) -> ExtractionRules:
    """The rules with the settings of a workspace: `pearscarf.public_mail_domains` adds providers."""
    given = settings.get("pearscarf.public_mail_domains") or ()
    names = given.split(",") if isinstance(given, str) else given
    providers = frozenset(str(name).strip().casefold() for name in names)
    return ExtractionRules(providers, has_projects, reader_for(settings))


@dataclass(slots=True)
class RulesResult:
    """The result of reading a record."""

    facts: int = 0
    warnings: list[str] = field(default_factory=list)
    pending: int = 0
    """Facts whose time could not be read."""
    reason: str | None = None
    """Why nothing was read."""


def read_record(
    change: Change,
    document: Document,
    text: str | None,
    before: Iterable[Assertion] | None,
    rules: ExtractionRules = DEFAULT_RULES,
    named: Set[EntityId] = frozenset(),
    run: ReadingRun | None = None,
) -> RulesResult:
    """Write the facts of a record; `before` are the assertions of its last reading, none if it is new.

    `named` are entities that another extractor found in it.
    """
    text = text and whole_sentences(document, text)
    with change.with_trust(trust_in(document.properties)):
        resolver, missing = PartyResolver(change, document, rules.providers), missing_fields(document)
        drafts: list[FactDraft] = []
        found = TextResult(reason=NOISE)
        if document.properties.get(CLASSIFICATION) in (None, "relevant"):
            found = TextResult()
            if not missing:
                drafts += _resolve_people(change, resolver)
                if text:
                    _add_signature_alias(change, resolver, text)
                drafts += facts_from_fields(change, resolver, document)
            if text or is_note(document):
                run = run or ReadingRun(reader=rules.reader)
                found = read_text(change, document, text or "", resolver, run, has_projects=rules.has_projects)
            _await_words(change, document, found.awaited | _awaited_links(change, document))
        drafts = list({_claim_key(each): each for each in reversed([*drafts, *found.drafts])}.values())[::-1]
        reconcile_source(change, drafts, before or ())
        everyone = resolver.resolved_ids() | _linked_entities(change, document) | ends_of_facts(drafts)
        set_mentions(change, document.id, everyone | named | found.people, is_new=before is None)
    warnings = [_missing_fields_warning(document, missing)] if missing else []
    warnings += [_unread_warning(document, found.unread)] if found.unread else []
    return RulesResult(len(drafts), warnings, found.pending, found.reason)


def _claim_key(draft: FactDraft) -> tuple[object, ...]:
    """What two facts of one record have in common if they are the same."""
    kind = draft.kind
    words = fold_words(draft.words or "")
    return kind.label, kind.fact_type, draft.subject, draft.object, draft.literal, words, draft.source_at


_LINK_TARGET = LookupPolicy((LookupStep(NAME_OR_ALIAS, any_entity),))


def _links(document: Document) -> list[str]:
    links = document.properties.get("links")
    return [str(link) for link in links] if isinstance(links, list) else []


def _linked_entities(change: Change, document: Document) -> set[EntityId]:
    """The entities that the links of a note refer to, where the name is known and unambiguous."""
    found = (_LINK_TARGET.find_only(change, link) for link in _links(document))
    return {entity.id for entity in found if entity is not None}


def _awaited_links(change: Change, document: Document) -> set[str]:
    """Under what a note awaits the entities that its links name and nobody has introduced."""
    unknown = (link for link in _links(document) if not _LINK_TARGET.find_all(change, link))
    return {queries.awaited_link(folded) for link in unknown if len(folded := name_text(link).folded) <= NAME_LIMIT}


def _missing_fields_warning(document: Document, missing: list[str]) -> str:
    named = f"record {document.key[:80]!r} ({document.type[:80]})"
    return f"{named} lacks {', '.join(missing)}: kept, but its fields were not read"


def _unread_warning(document: Document, passages: int) -> str:
    named = f"record {document.key[:80]!r}"
    return (
        f"{named} has more than {MAX_FACTS} facts: {passages} passages are kept as text only; split it to have all read"
    )


def rule_assertions(change: Change, document: Document) -> list[Assertion]:
    """The assertions that the rules made when the record was last read."""
    return [each for each in change.assertions_from(document.id) if each.extracted_by == RULES]


def _resolve_people(change: Change, resolver: PartyResolver) -> Iterator[FactDraft]:
    """Resolve everybody in the record; the employers that their mail domains suggest."""
    document = resolver.document
    fields = record_type(document.type).people
    parties = list(dict.fromkeys(party for key in fields for party in resolver.parties(key)))
    for party in parties:
        resolver.person(party)
    source = record_source(change, document)
    for party in parties:
        suggested = suggest_employer(change, resolver, party, source)
        if suggested is not None:
            yield suggested


def _add_signature_alias(change: Change, resolver: PartyResolver, text: str) -> None:
    """Add the signature of a mail as an alias of a sender without a display name, if it matches the address."""
    party = next(iter(resolver.parties("sender")), None) if resolver.document.type == "email" else None
    person = resolver.person(party) if party is not None and party.name is None else None
    lines = signature_lines(text) if person is not None else []
    read = name_from_address(party) if party is not None else None
    if person is None or read is None or not lines:
        return
    if _matches_signature(read.name, lines[0].split()):
        add_alias(change, person, lines[0])


def _matches_signature(read: str, words: list[str]) -> bool:
    """Whether a name read off an address is this one: its first name, or its initial and its last name."""
    is_name = 2 <= len(words) <= 4 and all(
        word.replace("-", "").replace(".", "").isalpha() and word[:1].isupper() for word in words
    )
    parts = fold(read).split()
    return is_name and (
        parts[0] in (fold(words[0]), fold(words[0][0] + words[-1])) or parts == [fold(words[0][0]), fold(words[-1])]
    )


def _await_words(change: Change, document: Document, words: set[str]) -> None:
    if document.type in AWAIT_ISSUES:
        words = words | {awaited_issue_key(field_text(document.properties.get("issue_record_id")) or "")}
    queries.await_words(change, document.id, sorted(words))


def awaited_issue_key(key: str) -> str:
    """Under what a change awaits its issue; no token of a text has a space, and no issue a longer key."""
    return f"issue {key[:KEY_LIMIT]}"


TRANSACTIONS_PER_PAGE = 2_000
SEED_TYPE = "seed"
"""Read by its own rules, which ask for nothing that may come later."""
RECORDS_PER_COMMIT = 200
MAX_ROUNDS = 4
"""Reading a record again may add a name that affects another record; rarely more than once."""


def reread_affected(memory: Memory, rules: ExtractionRules, read_with: PeopleDirectory | None = None) -> int:
    """Read the records again that later names, issues and affiliations affect; how many there were.

    `read_with` are the names that were known while the latest records were read.
    """
    count = 0
    for _ in range(MAX_ROUNDS):
        with memory.read() as view:
            since, last = queries.reread_watermark(view), view.last_tx
            if last <= since:
                break
            has_any = queries.has_awaited_words(view)
            documents = sorted(_affected_documents(view, since, read_with)) if has_any else []
        _reread_documents(memory, documents, rules)
        with memory.write() as change:
            withdraw_suggested_employers(change, since)
            queries.set_reread_watermark(change, last)
        count += len(documents)
    return count


def _affected_documents(view: View, since: int, read_with: PeopleDirectory | None) -> set[DocumentId]:
    found: set[DocumentId] = set()
    for words, renamed in _iter_new_names(view, since, read_with or PeopleDirectory()):
        found |= queries.awaiting(view, words, words)
        for entity in renamed:
            found |= queries.documents_asserting(view, [fact.id for fact in view.facts_touching(entity)])
    issues = {awaited_issue_key(key) for key in queries.issues_begun(view, since)}
    return found | queries.awaiting(view, issues) | queries.awaiting_links(view, since)


def _iter_new_names(
    view: View, since: int, read_with: PeopleDirectory
) -> Iterator[tuple[dict[str, float], set[EntityId]]]:
    """Some transactions at a time, the words that new names are awaited by, and who was renamed.

    Beside a word stands the transaction since which records have been read with its names.
    """
    for low in range(since, view.last_tx, TRANSACTIONS_PER_PAGE):
        names = queries.names_begun(view, low, low + TRANSACTIONS_PER_PAGE, (COMPANY, PERSON, PROJECT))
        words: dict[str, float] = {}
        for each in names:
            if each.type != COMPANY:
                word = _awaited_word(each.folded)
                words[word] = max(words.get(word, 0), read_with.noted_in(each.entity, each.folded))
        yield words, {each.entity for each in names if each.kind == "name" and each.is_older_entity}


def _awaited_word(folded: str) -> str:
    """The word of a name by which a text that has the name is found: the longest that is awaited at all."""
    words = [word for token in name_tokens(folded) if (word := awaited_token(token))]
    return max(words, key=len, default=folded)


def _reread_documents(memory: Memory, documents: Sequence[DocumentId], rules: ExtractionRules) -> None:
    run = ReadingRun(reader=rules.reader)
    for first in range(0, len(documents), RECORDS_PER_COMMIT):
        with memory.write() as change:
            for each in documents[first : first + RECORDS_PER_COMMIT]:
                document = change.document(each)
                if document is not None and is_read_by_rules(document):
                    _reread_document(change, document, rules, run)


def reread_document(change: Change, document: Document, rules: ExtractionRules) -> bool:
    """Apply the rules to one record again; false if it is read by others, such as a remembered note."""
    if document.kind != "record" or not is_read_by_rules(document):
        return False
    _reread_document(change, document, rules, ReadingRun(reader=rules.reader))
    return True


def is_read_by_rules(document: Document) -> bool:
    """Whether this reader has read a record; seed files and remembered notes have readers of their own."""
    return not document.deleted and document.type != SEED_TYPE and REMEMBERED not in document.properties


def _reread_document(change: Change, document: Document, rules: ExtractionRules, run: ReadingRun) -> None:
    """Apply the rules to one record again; what other extractors found stays."""
    mentioned = set(change.mentioned(document.id))
    before = rule_assertions(change, document)
    read_record(change, document, change.text_of(document), before, rules, mentioned, run)

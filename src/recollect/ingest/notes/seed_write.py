"""Writing what a seed file gives: things first, then their further names, then the facts between them."""

from collections.abc import Iterator
from dataclasses import replace

from recollect.errors import Refused
from recollect.ingest.documents import DocumentDraft, keep_document
from recollect.ingest.extract.adopt import adopt
from recollect.ingest.extract.alone import is_as_held
from recollect.ingest.extract.cast import COMPANY, PERSON, Cast
from recollect.ingest.extract.employers import suggest_employer
from recollect.ingest.extract.fields_told import PROJECT
from recollect.ingest.extract.party import Party
from recollect.ingest.extract.reading import Rules, mention
from recollect.ingest.extract.told import GIVEN, Told, write_told
from recollect.ingest.notes.seed_rows import Seed, SeedFact
from recollect.ingest.problems import BadLine
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.store.change import Change
from recollect.write.ends import End, add_alias, find, find_or_make

Wrong = list[tuple[int, str]]


def write_seed(change: Change, draft: DocumentDraft, seed: Seed, rules: Rules) -> tuple[int, Wrong]:
    """Write the rows of a seed file; how many facts they make, and the rows that could not be taken."""
    held = change.document_named("record", draft.key)
    document = held if held is not None and is_as_held(held, draft) else keep_document(change, draft, held)
    wrong: Wrong = []
    cast = Cast(change, document.source_at, rules.providers)
    things = {each.id for each in _things(change, seed, document, wrong)}
    _aliases(change, seed, wrong)
    stated = list(_facts(change, seed, document, wrong))
    joined = {frozenset(_ends(each)) for each in stated if each.label == "AFFILIATED"}
    suggested = (each for each in _employers(change, seed, cast, document) if frozenset(_ends(each)) not in joined)
    told = [*suggested, *stated]
    before = change.assertions_from(document.id) if held is not None else []
    write_told(change, document, told, before)
    named = things | cast.everyone() | {end for each in told for end in _ends(each)}
    mention(change, document, named, set(change.mentioned(document.id)) if held is not None else set())
    return len(told), wrong


def _ends(told: Told) -> list[EntityId]:
    return [end.id for end in (told.subject, told.target) if end is not None]


def _things(change: Change, seed: Seed, document: Document, wrong: Wrong) -> Iterator[Entity]:
    rows = [
        *((line, End(name, COMPANY, (), _given(domain=domain))) for line, name, domain in seed.companies),
        *((line, End(name, PERSON, (), _given(role=role, email=email))) for line, name, role, email in seed.people),
        *((line, End(name, PROJECT)) for line, name in seed.projects),
    ]
    for line, end in rows:
        try:
            adopt(change, end)
            said_at = document.source_at if end.properties else None
            yield find_or_make(change, replace(end, confirmed=True, reason="given", said_at=said_at)).entity
        except Refused as problem:
            wrong.append((line, str(problem)))


def _given(**values: str | None) -> dict[str, str]:
    return {key: value for key, value in values.items() if value is not None}


def _aliases(change: Change, seed: Seed, wrong: Wrong) -> None:
    for line, name, aliases in seed.aliases:
        try:
            entity = _known(change, name)
            for alias in aliases:
                add_alias(change, entity, alias)
        except Refused as problem:
            wrong.append((line, str(problem)))


def _employers(change: Change, seed: Seed, cast: Cast, document: Document) -> Iterator[Told]:
    for _, name, _, email in seed.people:
        suggested = suggest_employer(change, cast, Party(name, email), document.source_at) if email else None
        if suggested is not None:
            yield suggested


def _facts(change: Change, seed: Seed, document: Document, wrong: Wrong) -> Iterator[Told]:
    for row in seed.facts:
        try:
            yield _fact(change, row, document)
        except Refused as problem:
            wrong.append((row.line, str(problem)))


def _fact(change: Change, row: SeedFact, document: Document) -> Told:
    subject = _known(change, row.subject)
    target = _known(change, row.target) if row.target is not None else None
    at = document.source_at
    return Told(row.label, row.fact_type, subject, target, row.words, "stated", at, extracted_by=GIVEN)


def _known(change: Change, name: str) -> Entity:
    """What the file or the graph knows by a name; rows do not make ends of facts."""
    found = find(change, End(name))
    if found is None:
        raise BadLine("row", f"{name!r} is named neither in the file nor known")
    return found

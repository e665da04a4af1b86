"""`recollect search` and `recollect history`."""

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from recollect.errors import Refused
from recollect.serve.cli.main import standard_options, store_of
from recollect.serve.cli.output import show_json, show_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.memory import Memory
    from recollect.search.fact_search import FactHit
    from recollect.search.ranking import PassageHit, PassageResults
    from recollect.store.view import View
    from recollect.store.world import World
    from recollect.when.span import Span
    from recollect.when.timeline import Timeline

WAITING = (
    "texts without a vector yet, found by their words only: {}; "
    "a running server embeds them, and so does the next `recollect ingest`"
)

LEAST_SHARE = 0.01
"""Of the best score: a passage below shares only words that nearly every passage has."""
MATCHES_PER_FACT = 4
"""Of the facts that match, this many are looked at for each that is shown: those of the past are not."""


class EmptyQuery(Refused):
    def __init__(self) -> None:
        super().__init__("there is nothing to search for: say it in words", field="text")


@click.command("history")
@click.argument("name")
@click.option("--as-of", help="As it was known then: an instant, a date or a transaction number.")
@standard_options
def history_command(ctx: click.Context, name: str, as_of: str | None, as_json: bool) -> None:
    """How the facts about NAME came about, oldest first."""
    from recollect.serve.version_history import history

    with store_of(ctx) as opened, opened.memory("history").read(as_of) as view:
        show_rows(history(view, name), as_json)


@click.command("search")
@click.argument("text")
@click.option("--limit", type=click.IntRange(1, 200), default=10, help="At most this many passages, and facts.")
@click.option("--as-of", help="As it was known then: an instant, a date or a transaction number.")
@click.option("--since", help="Only what is from this time or later: a date, or words such as 'last month'.")
@click.option("--until", help="Only what is from this time or earlier.")
@click.option("--all", "with_weak", is_flag=True, help="Show weak results too.")
@standard_options
def search_command(
    ctx: click.Context,
    text: str,
    limit: int,
    as_of: str | None,
    since: str | None,
    until: str | None,
    with_weak: bool,
    as_json: bool,
) -> None:
    """The passages that answer TEXT best, with the reason for each, and matching facts."""
    if not text.strip():
        raise EmptyQuery
    with store_of(ctx) as opened:
        found = search_store(opened.memory("search"), text, limit, as_of, SearchPeriod(since, until))
    _show(found, limit, as_json, with_weak=with_weak)


class SearchPeriod(NamedTuple):
    """The period that sources must be from, as it was written; a missing end is open."""

    since: str | None = None
    until: str | None = None

    def span(self, world: "World") -> "Span":
        from recollect.surfaces.recollect.parameters import read_when
        from recollect.when.instant import MAX, MIN
        from recollect.when.span import Span

        low = MIN if self.since is None else read_when(world, self.since, "--since").lo
        return Span(low, MAX if self.until is None else read_when(world, self.until, "--until").hi)


ANY_PERIOD = SearchPeriod()


class StoreMatches(NamedTuple):
    """The passages and facts that answer a text, and how many texts still wait for their vector.

    `bodies` are the texts of the passages by number, without what somebody asked to hide. `weak` are the numbers of
    passages that are too far from the text to answer it. Times of `timeline` are shown as people write them.
    """

    passages: "PassageResults"
    bodies: dict[int, str]
    facts: "Sequence[FactHit]"
    waiting: int
    timeline: "Timeline"
    weak: frozenset[int] = frozenset()
    is_cut: bool = False
    """Whether more answers it than the limit allows."""


def search_store(
    memory: "Memory", text: str, limit: int, as_of: str | None = None, period: SearchPeriod = ANY_PERIOD
) -> StoreMatches:
    from dataclasses import replace

    from recollect.indexing import count_pending_texts, index_before_read
    from recollect.search.fact_search import FactQuestion, fact_meaning, search_facts_by_meaning
    from recollect.search.hidden_sentences import hidden_text
    from recollect.search.passage_search import SearchRequest, search_passages
    from recollect.search.recall import is_passage_near, relevance_floor
    from recollect.store.passage_filter import PassageFilter
    from recollect.store.passage_index import StoredPassageIndex

    index_before_read(memory, newest_facts=True)
    with memory.read(as_of) as view:
        span = period.span(view.world)
        where = PassageFilter(since=span.lo, until=span.hi)
        asked = SearchRequest(text, view.now, view.world.zone, where, limit=limit + 1)
        every = search_passages(StoredPassageIndex(view, memory.cache.vectors), asked, memory.embedder)
        found = replace(every, hits=every.hits[:limit])
        hidden = hidden_text(view, {hit.chunk.document for hit in found.hits})
        bodies = {hit.chunk.number: hidden.remove_from(hit.chunk.text, hit.chunk.document) for hit in found.hits}
        meaning = fact_meaning(view, memory.cache.vectors, memory.embedder, text)
        floor = relevance_floor(view, text, memory.embedder)
        question = FactQuestion(text, since=span.lo, until=span.hi)
        matching = search_facts_by_meaning(view, question, meaning, MATCHES_PER_FACT * limit + 1, floor)
        facts = _current_facts(view, matching)
        least = LEAST_SHARE * max((hit.score for hit in found.hits), default=0.0)
        weak = frozenset(hit.chunk.number for hit in every.hits if hit.score < least or not is_passage_near(hit, floor))
        is_cut = len(facts) > limit or any(hit.chunk.number not in weak for hit in every.hits[limit:])
        waiting = count_pending_texts(view, memory.embedder)
        return StoreMatches(found, bodies, facts[:limit], waiting, view.world.timeline, weak, is_cut)


def _current_facts(view: "View", found: "Sequence[FactHit]") -> "list[FactHit]":
    from recollect.model.history import is_current
    from recollect.reason.items.item_lookup import closed_items
    from recollect.search.hidden_sentences import hidden_facts

    at = view.world.present
    hidden = hidden_facts(view, {each.row.fact.id for each in found})
    current = [each for each in found if is_current(each.row.fact, at) and each.row.fact.id not in hidden]
    closed = closed_items(view, {each.row.fact.subject for each in current})
    return [each for each in current if each.row.fact.id not in closed]


def _show(found: StoreMatches, limit: int, as_json: bool, *, with_weak: bool) -> None:
    passages, waiting = found.passages, found.waiting
    shown = [hit for hit in passages.hits if found.bodies[hit.chunk.number]]
    hits = [hit for hit in shown if with_weak or hit.chunk.number not in found.weak]
    hidden = len(shown) - len(hits)
    rows, facts = (
        [_hit_row(hit, found.bodies[hit.chunk.number]) for hit in hits],
        [_fact_row(each, found.timeline) for each in found.facts],
    )
    note = passages.note or (WAITING.format(waiting) if waiting else None)
    if as_json:
        by_meaning = passages.by_meaning
        counts = {"more": found.is_cut, "weak_hidden": hidden, "texts_waiting": waiting}
        show_json({"hits": rows, "facts": facts, "by_meaning": by_meaning, **counts, "note": note})
        return
    for row in rows:
        click.echo(f"{row['score']:.3f}  {row['source']}  {row['title'] or ''}  ({', '.join(row['via'])})")
        click.echo(f"       {' '.join(row['text'].split())[:300]}")
    for row in facts:
        click.echo(f"{row['score']:.3f}  {row['source']}  {row['id']}  (fact)")
        click.echo(f"       {' '.join(row['text'].split())[:300]}")
    if not rows and not facts:
        click.echo("nothing")
    if found.is_cut:
        click.echo(f"only the best {limit} passages and facts are shown; --limit shows more", err=True)
    if hidden:
        click.echo(f"{hidden} weak result{'s' if hidden > 1 else ''} hidden; --all shows them", err=True)
    if note:
        click.echo(note, err=True)


def _hit_row(hit: "PassageHit", body: str) -> dict[str, Any]:
    from recollect.when.instant import format_instant

    chunk, why = hit.chunk, hit.why
    return {
        "score": round(hit.score, 4),
        "kind": chunk.kind,
        "source": chunk.key,
        "title": chunk.title,
        "source_at": format_instant(chunk.source_at),
        "text": body,
        "via": list(why.via),
        "words": list(why.words),
        "cosine": None if why.cosine is None else round(why.cosine, 4),
    }


def _fact_row(found: "FactHit", timeline: "Timeline") -> dict[str, Any]:
    from recollect.model.ids import format_fact_id
    from recollect.when.format import readable_times_in
    from recollect.when.instant import format_instant

    fact = found.row.fact
    return {
        "score": round(found.score, 4),
        "id": format_fact_id(fact.id),
        "source": found.row.given or found.row.source_key,
        "source_at": format_instant(fact.source_at),
        "text": readable_times_in(found.row.text, timeline),
    }

"""`recollect search` and `recollect history`."""

from typing import TYPE_CHECKING, Any

import click

from recollect.errors import Refused
from recollect.serve.cli.main import as_json, settings_of, shared
from recollect.serve.cli.printing import show_json, show_rows

if TYPE_CHECKING:
    from recollect.search import Found, Hit


class NothingAsked(Refused):
    def __init__(self) -> None:
        super().__init__("there is nothing to search for: say it in words", field="text")


@click.command("history")
@click.argument("name")
@click.option("--as-of", help="As it was known then: an instant, a date or a transaction number.")
@shared
@as_json
@click.pass_context
def history_command(ctx: click.Context, name: str, as_of: str | None, as_json: bool) -> None:
    """How what is known about NAME came to be, oldest first."""
    from recollect.serve.history import history
    from recollect.serve.opened import Opened

    with Opened(settings_of(ctx)) as opened, opened.memory("history").read(as_of) as view:
        show_rows(history(view, name), as_json)


@click.command("search")
@click.argument("text")
@click.option("--limit", type=click.IntRange(1, 200), default=10, help="At most this many passages.")
@click.option("--as-of", help="As it was known then: an instant, a date or a transaction number.")
@shared
@as_json
@click.pass_context
def search_command(ctx: click.Context, text: str, limit: int, as_of: str | None, as_json: bool) -> None:
    """The passages that answer TEXT best, each with why."""
    from recollect.search.find import Asked, search
    from recollect.serve.indexing import catch_up
    from recollect.serve.opened import Opened
    from recollect.store.index import StoredIndex

    if not text.strip():
        raise NothingAsked
    with Opened(settings_of(ctx)) as opened:
        memory = opened.memory("search")
        catch_up(memory)
        with memory.read(as_of) as view:
            asked = Asked(text, view.now, view.world.zone, limit=limit)
            _show(search(StoredIndex(view, memory.kept.matrices), asked, memory.embedder), as_json)


def _show(found: "Found", as_json: bool) -> None:
    rows = [_row(hit) for hit in found.hits]
    if as_json:
        show_json({"hits": rows, "by_meaning": found.by_meaning, "note": found.note})
        return
    for row in rows:
        click.echo(f"{row['score']:.3f}  {row['source']}  {row['title'] or ''}  ({', '.join(row['via'])})")
        click.echo(f"       {' '.join(row['text'].split())[:300]}")
    if not rows:
        click.echo("nothing")
    if found.note:
        click.echo(found.note, err=True)


def _row(hit: "Hit") -> dict[str, Any]:
    from recollect.when.instant import say_instant

    chunk, why = hit.chunk, hit.why
    return {
        "score": round(hit.score, 4),
        "kind": chunk.kind,
        "source": chunk.key,
        "title": chunk.title,
        "source_at": say_instant(chunk.source_at),
        "text": chunk.text,
        "via": list(why.via),
        "words": list(why.words),
        "cosine": None if why.cosine is None else round(why.cosine, 4),
    }

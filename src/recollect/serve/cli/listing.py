"""`recollect list` and `relationship`: what there is, and how two people are related."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from recollect.model.page import ResultPage
from recollect.serve.cli.main import standard_options, store_of
from recollect.serve.cli.output import show_rows, show_text

if TYPE_CHECKING:
    from recollect.serve.open_store import OpenStore

Rows = ResultPage[dict[str, Any]]


@click.command("list")
@click.argument("what", type=click.Choice(["entities", "documents", "predicates", "tools", "workspaces"]))
@click.option("--type", "kind", help="Only entities or documents of this type, or tools of this surface.")
@click.option("--limit", type=click.IntRange(1, 100_000), default=50, show_default=True, help="At most this many.")
@standard_options
def list_command(ctx: click.Context, what: str, kind: str | None, limit: int, as_json: bool) -> None:
    """List entities, documents, predicates, tools or workspaces."""
    with store_of(ctx) as opened:
        page = _LISTS[what](opened, kind, limit)
    rows = page.items[:limit]
    show_rows(rows, as_json, f"no {what}" + (f" of type {kind}" if kind else ""))
    if page.total > len(rows):
        click.echo(f"{len(rows)} of {page.total}; --limit {page.total} lists all", err=True)


def _entities(opened: "OpenStore", kind: str | None, limit: int) -> Rows:
    from recollect.model.ids import format_entity_id
    from recollect.store.entity_queries import count_live_entities, entities_by_name

    with opened.memory("list").read() as view:
        rows = [
            {"name": each.name, "type": each.type, "facts": each.facts, "id": format_entity_id(each.id)}
            for each in entities_by_name(view, kind, limit)
        ]
        return ResultPage(rows, count_live_entities(view, kind))


def _documents(opened: "OpenStore", kind: str | None, limit: int) -> Rows:
    from recollect.store.document_queries import count_documents, list_documents
    from recollect.when.instant import format_instant

    with opened.memory("list").read() as view:
        rows = [
            {"title": each.title, "type": each.type, "date": format_instant(each.source_at)[:10], "source": each.key}
            for each in list_documents(view, kind, limit)
        ]
        return ResultPage(rows, count_documents(view, kind))


def _predicates(opened: "OpenStore", _: str | None, __: int) -> Rows:
    from recollect.store.fact_queries import list_predicates

    with opened.memory("list").read() as view:
        rows = [each._asdict() for each in list_predicates(view)]
        return ResultPage(rows, len(rows))


def _tools(opened: "OpenStore", kind: str | None, _: int) -> Rows:
    from recollect.surfaces.registry import find_surface, package_names

    settings = opened.settings
    surfaces = [kind] if kind else [settings.surface] if settings.text("surface") else package_names()
    rows = [
        {"tool": tool.name, "surface": tool.surface.name, "does": tool.description.partition("\n")[0]}
        for name in surfaces
        for tool in find_surface(name).tools.values()
    ]
    return ResultPage(rows, len(rows))


def _workspaces(opened: "OpenStore", _: str | None, __: int) -> Rows:
    from recollect.serve.cli.workspaces import workspace_rows

    rows = workspace_rows(opened)
    return ResultPage(rows, len(rows))


_LISTS: dict[str, "Callable[[OpenStore, str | None, int], Rows]"] = {
    "entities": _entities,
    "documents": _documents,
    "predicates": _predicates,
    "tools": _tools,
    "workspaces": _workspaces,
}


@click.command("relationship")
@click.argument("one")
@click.argument("other")
@standard_options
def relationship_command(ctx: click.Context, one: str, other: str, as_json: bool) -> None:
    """What ONE is to OTHER, such as "second cousin once removed"."""
    from recollect.reason.lore.genealogy import find_kinship
    from recollect.reason.lore.lore_reader import LoreReader
    from recollect.surfaces.recollect.parameters import find_entity

    with store_of(ctx) as opened:
        memory = opened.memory("relationship")
        with memory.read() as view:
            people = find_entity(memory, view, one, "ONE"), find_entity(memory, view, other, "OTHER")
            found = find_kinship(LoreReader(view), *people)
    names = {"one": people[0].name, "other": people[1].name}
    if found is None:
        nothing = f"no kinship between {names['one']} and {names['other']} is known"
        show_text(nothing, {**names, "relationship": None}, as_json)
        return
    ancestors = [each.name for each in found.ancestors] if found.up and found.down else []
    lines = [
        f"{names['one']} is {names['other']}'s {found.name}"
        if people[0].id != people[1].id
        else "they are the same person"
    ]
    lines += [f"common ancestor{'s' if len(ancestors) > 1 else ''}: {', '.join(ancestors)}"] if ancestors else []
    show_text("\n".join(lines), {**names, "relationship": found.name, "common_ancestors": ancestors}, as_json)

"""`recollect relationship`: how two people are related."""

import click

from recollect.serve.cli.main import standard_options, store_of
from recollect.serve.cli.output import show_text


@click.command("relationship")
@click.argument("one")
@click.argument("other")
@standard_options
def relationship_command(ctx: click.Context, one: str, other: str, as_json: bool) -> None:
    """What ONE is to OTHER, such as "second cousin once removed"."""
    from recollect.reason.lore.kinship import find_kinship
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

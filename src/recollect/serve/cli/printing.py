"""How the command line shows things: a table for people, JSON for programs."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import click


def show(value: Mapping[str, Any], as_json: bool) -> None:
    """One thing: a line for each key, or JSON."""
    if as_json:
        show_json(value)
        return
    width = max(map(len, value), default=0)
    for key, each in value.items():
        click.echo(f"{key:<{width}}  {_said(each)}")


def show_rows(rows: Sequence[Mapping[str, Any]], as_json: bool, nothing: str = "nothing") -> None:
    """Several things alike: a table, or a JSON list."""
    if as_json:
        show_json(rows)
    elif not rows:
        click.echo(nothing)
    else:
        texts = [list(rows[0]), *([_said(each) for each in row.values()] for row in rows)]
        widths = [max(len(row[place]) for row in texts) for place in range(len(texts[0]))]
        for row in texts:
            click.echo("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())


def show_json(value: Any) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def _said(value: Any) -> str:
    if value is None:
        return "–"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

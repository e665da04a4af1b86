"""Output of commands: tables for people, JSON for programs, progress bars for terminals."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import click

from recollect.model.progress import Progress, ProgressListener, ignore_progress


def show(value: Mapping[str, Any], as_json: bool) -> None:
    """Print one record: a line per key, or JSON."""
    if as_json:
        show_json(value)
        return
    width = max(map(len, value), default=0)
    for key, each in value.items():
        click.echo(f"{key:<{width}}  {_format_value(each)}")


def show_rows(rows: Sequence[Mapping[str, Any]], as_json: bool, nothing: str = "nothing") -> None:
    """Print several records: a table, or a JSON list."""
    if as_json:
        show_json(rows)
    elif not rows:
        click.echo(nothing)
    else:
        texts = [list(rows[0]), *([_format_value(each) for each in row.values()] for row in rows)]
        widths = [max(len(row[place]) for row in texts) for place in range(len(texts[0]))]
        for row in texts:
            click.echo("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())


def show_json(value: Any) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def show_text(text: str, value: Any, as_json: bool) -> None:
    """Print a text for people, or what it says as JSON."""
    if as_json:
        show_json(value)
    else:
        click.echo(text)


def _format_value(value: Any) -> str:
    if value is None:
        return "–"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


@contextmanager
def progress_bar(name: str, unit: str) -> Iterator[ProgressListener]:
    """A progress listener that draws a bar; without a terminal nothing is loaded or shown."""
    if not sys.stderr.isatty():
        yield ignore_progress
        return
    from tqdm import tqdm

    with tqdm(desc=name, unit=unit, unit_scale=unit == "B") as shown:

        def tell(progress: Progress) -> None:
            shown.total = progress.total
            shown.update(progress.done - shown.n)

        yield tell

"""`recollect eval`: how well this memory finds things."""

from pathlib import Path

import click

from recollect.serve.cli.extraction import extraction
from recollect.serve.cli.main import as_json, settings_of, shared


@click.group("eval")
def eval_command() -> None:
    """Measure, on data of your own."""


@eval_command.command("retrieval")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@shared
@as_json
@click.pass_context
def retrieval(ctx: click.Context, file: Path, as_json: bool) -> None:
    """Search the documents in FILE for its queries, beside plain BM25, plain vectors and rank fusion.

    FILE holds lines {"doc": {"id", "text", …}} and {"query": {"id", "text", "gold": [doc ids], …}}. Everything
    happens in a scratch database; vectors are kept in the user's cache by the hash of their text.
    """
    from platformdirs import user_cache_path

    from recollect.embed.choose import embedder_for
    from recollect.search.evaluate import evaluate

    report = evaluate(file, embedder_for(settings_of(ctx)), user_cache_path("recollect") / "vectors")
    click.echo(report.to_json() if as_json else report.table())


eval_command.add_command(extraction)

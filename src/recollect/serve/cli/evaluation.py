"""`recollect eval`: retrieval and extraction quality on your own data."""

from pathlib import Path
from typing import Any

import click

from recollect.serve.cli.main import settings_of, standard_options
from recollect.serve.cli.output import show_text

UNREADABLE = 2
BELOW_THRESHOLD = 1


@click.command("extraction")
@click.argument("dataset", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--extractor", type=click.Choice(["rules", "model", "all"]), default="rules", help="Whose facts count.")
@click.option("--min-f1", type=float, help="Exit with code 1 if the F1 of facts is below this.")
@standard_options
def extraction(ctx: click.Context, dataset: Path, extractor: Any, min_f1: float | None, as_json: bool) -> None:
    """Extract from the records in DATASET in a scratch workspace, and count what was found."""
    from recollect.importers.extraction_eval import evaluate
    from recollect.importers.extraction_scores import UnreadableDataset, read_dataset

    try:
        labelled = read_dataset(dataset)
    except UnreadableDataset as problem:
        click.echo(f"recollect: {problem}", err=True)
        ctx.exit(UNREADABLE)
    report = evaluate(labelled, settings_of(ctx), extractor)
    show_text(table(report.to_json()), report.to_json(), as_json)
    ctx.exit(BELOW_THRESHOLD if min_f1 is not None and report.f1 < min_f1 else 0)


def table(report: dict[str, Any]) -> str:
    """The figures as a table."""
    rows = [("", "expected", "extracted", "correct", "precision", "recall", "f1")]
    for name, figures in (("facts", report["facts"]), *report["per_label"].items()):
        counts = (str(figures[key]) for key in ("expected", "extracted", "correct"))
        rows.append((name, *counts, *(f"{figures[key]:.4f}" for key in ("precision", "recall", "f1"))))
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = [f"{report['dataset']}, extractor {report['extractor']}, {report['records']} records", ""]
    lines += ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    for name, right in (("noise_rejection", "rejected"), ("entity_resolution", "correct"), ("temporal", "correct")):
        case = report[name]
        score = "–" if case["score"] is None else f"{case['score']:.4f}"
        lines.append(f"{name.replace('_', ' ')}: {score} ({case[right]} of {case['cases']})")
    lines.append(f"dropped, ungrounded: {report['dropped_ungrounded']}")
    lines += [f"missed  {_format_fact(each)}" for each in report["misses"]]
    lines += [f"extra   {_format_fact(each)}" for each in report["extras"]]
    lines += [f"note    {each}" for each in report["warnings"]]
    return "\n".join(lines)


def _format_fact(fact: dict[str, Any]) -> str:
    return f"{fact['record']}: {fact['edge_label']}/{fact['fact_type']} {fact['from']} → {fact['to']}"


@click.group("eval")
def eval_command() -> None:
    """Measure quality on your own data."""


@eval_command.command("retrieval")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--rerank",
    type=click.Choice(["on", "off"]),
    default="on",
    help="Order the best hits by the learned ranker, as every search does, or leave them in fused order.",
)
@standard_options
def retrieval(ctx: click.Context, file: Path, rerank: str, as_json: bool) -> None:
    """Search the documents in FILE for its queries, compared with plain BM25, plain vectors and rank fusion.

    Each way has its latency percentiles and, over all queries, bootstrap bounds at 95 % confidence.

    FILE holds lines {"doc": {"id", "text", …}} and {"query": {"id", "text", "gold": [doc ids], …}}. Everything
    happens in a scratch database; vectors are kept in the user's cache by the hash of their text.
    """
    from platformdirs import user_cache_path

    from recollect.embed.cached import embedder_for
    from recollect.search.evaluation import EvalOptions, evaluate

    options = EvalOptions(user_cache_path("recollect") / "vectors", rerank=rerank == "on")
    report = evaluate(file, embedder_for(settings_of(ctx)), options)
    click.echo(report.to_json() if as_json else report.table())


@eval_command.command("facts")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@standard_options
def facts(ctx: click.Context, file: Path, as_json: bool) -> None:
    """Store the facts in FILE in a scratch database and ask its questions, each in other words than its fact.

    FILE holds lines {"from", "fact_type", "to", "question"}.
    """
    from recollect.importers.fact_search_eval import evaluate_fact_search, read_fact_cases

    report = evaluate_fact_search(read_fact_cases(file), settings_of(ctx))
    show_text(report.table(), report.to_json(), as_json)


eval_command.add_command(extraction)

"""Retrieval on real sets beside plain BM25, plain dense and equal rank fusion.

    python -m benchmarks.retrieval [locomo] [longmemeval] [2wiki] [fever]

Reads the sets from RECOLLECT_DATA (default: ../shared/data) and says so where they are absent. Behind the figures of a
set stands each of its categories of at least 50 questions beside the better of BM25 and dense.
"""

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks import convert_2wiki, convert_fever, convert_locomo, convert_longmemeval
from recollect.embed.cached import bundled_embedder
from recollect.search.evaluation import BM25, DENSE, OURS, EvalOptions, Quality, RetrievalReport, evaluate

Lines = Iterator[dict[str, dict[str, object]]]
MIN_QUESTIONS = 50


def sets(folder: Path) -> dict[str, tuple[Path, ...]]:
    return {
        "locomo": (folder / "locomo" / "locomo_1to5.json",),
        "longmemeval": (folder / "longmemeval" / "longmemeval_oracle_first250.json.xz",),
        "2wiki": (folder / "multihop" / "2wiki_corpus.json", folder / "multihop" / "2wiki_questions_first500.json"),
        "fever": (folder / "claims" / "fever_symmetric_dev.jsonl",),
    }


def lines(name: str, paths: tuple[Path, ...]) -> Lines:
    match name:
        case "locomo":
            return convert_locomo.lines(*paths)
        case "longmemeval":
            return convert_longmemeval.lines(*paths)
        case "fever":
            return convert_fever.lines(*paths)
        case _:
            return convert_2wiki.lines(*paths)


def beside_legs(report: RetrievalReport) -> str:
    """Recall@1, recall@5 and MRR of the search, all and by category, each beside the better of BM25 and dense."""
    parts = {method: {"all": each.overall, **each.by_category} for method, each in report.methods.items()}
    lines = ["", f"{'beside the better of BM25 and dense':40} recall@1      recall@5      MRR               n"]
    for name, ours in parts[OURS].items():
        if ours.n >= MIN_QUESTIONS:
            lines.append(f"{name:40} {_beside(ours, (parts[BM25][name], parts[DENSE][name]))} {ours.n:5}")
    return "\n".join(lines)


def _beside(ours: Quality, searches: tuple[Quality, ...]) -> str:
    told = []
    for measure in ("recall_1", "recall_5", "mrr"):
        value, best = getattr(ours, measure), max(getattr(search, measure) for search in searches)
        told.append(f"{100 * value:5.1f} {100 * best:5.1f}{' ' if value >= best else '!'} ")
    return " ".join(told)


def main() -> None:
    folder = Path(os.environ.get("RECOLLECT_DATA", "../shared/data"))
    cache = Path(os.environ.get("RECOLLECT_CACHE", str(Path(tempfile.gettempdir()) / "recollect-vectors")))
    for name, paths in sets(folder).items():
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        if not all(path.exists() for path in paths):
            sys.stdout.write(f"{name}: not in {folder}; skipped\n")
            continue
        with tempfile.TemporaryDirectory() as scratch:
            file = Path(scratch) / f"{name}.jsonl"
            with file.open("w", encoding="utf-8") as out:
                out.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines(name, paths))
            report = evaluate(file, bundled_embedder(), EvalOptions(cache))
            sys.stdout.write(f"\n{name}\n{report.table()}\n{beside_legs(report)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()

"""Retrieval on real sets beside plain BM25, plain dense and equal rank fusion.

    python -m benchmarks.retrieval [locomo] [longmemeval] [2wiki]

Reads the sets from RECOLLECT_DATA (default: ../shared/data) and says so where they are absent.
"""

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks import convert_2wiki, convert_locomo, convert_longmemeval
from recollect.embed.factory import bundled_embedder
from recollect.search.evaluation import EvalOptions, evaluate

Lines = Iterator[dict[str, dict[str, object]]]


def sets(folder: Path) -> dict[str, tuple[Path, ...]]:
    return {
        "locomo": (folder / "locomo" / "locomo_1to5.json",),
        "longmemeval": (folder / "longmemeval" / "longmemeval_oracle_first250.json.xz",),
        "2wiki": (folder / "multihop" / "2wiki_corpus.json", folder / "multihop" / "2wiki_questions_first500.json"),
    }


def lines(name: str, paths: tuple[Path, ...]) -> Lines:
    match name:
        case "locomo":
            return convert_locomo.lines(*paths)
        case "longmemeval":
            return convert_longmemeval.lines(*paths)
        case _:
            return convert_2wiki.lines(*paths)


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
            sys.stdout.write(f"\n{name}\n{evaluate(file, bundled_embedder(), EvalOptions(cache)).table()}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()

"""Quality of the search with a trained encoder that is not bundled yet.

python -m training.measure_search FOLDER FILE.jsonl … [--json OUT]

FOLDER is what `scripts/build_model.py --out` wrote; FILE is a file of `recollect eval retrieval`.
"""

import argparse
from pathlib import Path

from recollect.embed.local import LocalEmbedder
from recollect.search.evaluation import EvalOptions, evaluate

CACHE = Path("~/.cache/recollect-training").expanduser()


def main() -> None:
    parser = argparse.ArgumentParser(description="Quality of the search with a trained encoder")
    parser.add_argument("folder", type=Path)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, help="folder for the reports as JSON")
    asked = parser.parse_args()
    embedder = LocalEmbedder(1, asked.folder, asked.folder.name)
    for path in asked.files:
        report = evaluate(path, embedder, EvalOptions(CACHE))
        print(path.stem, report.table(), sep="\n", flush=True)  # noqa: T201
        if asked.out:
            (asked.out / f"{asked.folder.name}-{path.stem}.json").write_text(report.to_json())


if __name__ == "__main__":
    main()

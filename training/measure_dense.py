"""Recall and MRR of layers by cosine alone on evaluation files.

python -m training.measure_dense FILE.jsonl … --layers FILE.npz …
"""

import argparse
from pathlib import Path

import torch

from training.dense_quality import measure_pools, read_pools
from training.layers import STOCK, load_layers
from training.text_batches import TextBatches


def main() -> None:
    parser = argparse.ArgumentParser(description="Recall and MRR of layers by cosine alone")
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--layers", type=Path, nargs="*", default=[STOCK])
    asked = parser.parse_args()
    texts = TextBatches(torch.device("cuda" if torch.cuda.is_available() else "cpu"))
    weights = load_layers(asked.layers)
    for path in asked.files:
        found = measure_pools(weights, read_pools(path), texts)
        print(path.stem, {name: round(value, 4) for name, value in found.items()}, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()

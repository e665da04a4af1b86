"""How well the sentence reader finds spans, on worlds that its folds had not seen; the bundled model leaves them out.

PYTHONPATH=src python -m training.measure_spans FOLDS.npz
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from training.corpus import load_worlds
from training.labelled_sentences import SPAN_ROLES, TAGS, examples
from training.reader import encode

Span = tuple[str, int, int]


def spans(tags: Sequence[int]) -> Iterator[Span]:
    """Runs of tokens of one role: the first token and those inside."""
    start = 0
    while start < len(tags):
        end = start + 1
        if tags[start]:
            role = TAGS[tags[start]][2:]
            while end < len(tags) and TAGS[tags[end]] == f"I-{role}":
                end += 1
            yield role, start, end
        start = end


def measure(truth: Sequence[Sequence[int]], found: Sequence[Sequence[int]]) -> Iterator[str]:
    """Precision and recall by role, for spans that match exactly and for spans that overlap."""
    counts: Counter[tuple[str, str]] = Counter()
    for one, other in zip(truth, found, strict=True):
        gold, given = list(spans(one)), list(spans(other))
        for role in SPAN_ROLES:
            wanted, made = ([each for each in side if each[0] == role] for side in (gold, given))
            counts[role, "gold"] += len(wanted)
            counts[role, "given"] += len(made)
            counts[role, "exact"] += len(set(wanted) & set(made))
            counts[role, "overlap"] += sum(any(_overlap(each, span) for span in wanted) for each in made)
            counts[role, "found"] += sum(any(_overlap(each, span) for span in made) for each in wanted)
    for role in SPAN_ROLES:
        gold_count, given_count = max(1, counts[role, "gold"]), max(1, counts[role, "given"])
        yield (
            f"{role:8} n={counts[role, 'gold']:5} exact precision {counts[role, 'exact'] / given_count:.2f} "
            f"recall {counts[role, 'exact'] / gold_count:.2f}, overlapping precision "
            f"{counts[role, 'overlap'] / given_count:.2f} recall {counts[role, 'found'] / gold_count:.2f}"
        )


def _overlap(one: Span, other: Span) -> bool:
    return one[0] == other[0] and one[1] < other[2] and other[1] < one[2]


def main() -> None:
    parser = argparse.ArgumentParser(description="How well the sentence reader finds spans")
    parser.add_argument("folds", type=Path)
    asked = parser.parse_args()
    with np.load(asked.folds) as stored:
        found = [[int(tag) for tag in each.split(";") if tag] for each in stored["tags"]]
    truth = [row.tags for row in encode(examples(load_worlds()))]
    print("\n".join(measure(truth, found)))  # noqa: T201


if __name__ == "__main__":
    main()

"""The sentence reader beside the rules, on sentences of worlds that neither has seen.

PYTHONPATH=src python -m training.compare_reader FOLDS.npz
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from recollect.reading.clause import clauses
from recollect.reading.context import Context
from recollect.reading.reader import read_sentence
from training.corpus import load_worlds
from training.labelled_sentences import Example, examples
from training.sentence_reader import ACTS, MODALITIES


def rule_act(text: str) -> str:
    found = (each.act for each in read_sentence(text, Context("mail")) if each.is_fact)
    return next((act for act in found if act in ACTS), "none")


def rule_modality(text: str) -> tuple[str, bool]:
    """The modality of the first clause that is not asserted, and whether any clause is negative."""
    found = clauses(text)
    modality = next((each.modality for each in found if each.modality != "asserted"), "asserted")
    return modality, any(each.polarity == "negative" for each in found)


def lines(names: Sequence[str], truth: Sequence[str], rules: Sequence[str], model: Sequence[str]) -> Iterator[str]:
    yield f"{'':14} {'n':>6}  {'rules: precision, recall':>26}  {'model: precision, recall':>26}"
    for name in names:
        cells = [_shares(name, truth, found) for found in (rules, model)]
        yield f"{name:14} {sum(each == name for each in truth):6}  {cells[0]:>26}  {cells[1]:>26}"


def _shares(name: str, truth: Sequence[str], found: Sequence[str]) -> str:
    right = sum(one == other == name for one, other in zip(truth, found, strict=True))
    given, wanted = (sum(each == name for each in column) for column in (found, truth))
    return f"{100 * right / given if given else 0:.1f} of {given}, {100 * right / wanted if wanted else 0:.1f}"


def measure(items: Sequence[Example], folds: Path) -> Iterator[str]:
    with np.load(folds) as stored:
        best = {head: stored[head].argmax(axis=1) for head in ("act", "modality", "polarity")}
    texts = [each.sentence.text for each in items]
    yield from lines(
        ACTS, [ACTS[each.act] for each in items], [rule_act(text) for text in texts], [ACTS[at] for at in best["act"]]
    )
    ruled = [rule_modality(text) for text in texts]
    truth = [MODALITIES[each.modality] for each in items]
    yield from lines(MODALITIES, truth, [each[0] for each in ruled], [MODALITIES[at] for at in best["modality"]])
    named = ("positive", "negative")
    negative = [named[each[1]] for each in ruled]
    yield from lines(named, [named[each.polarity] for each in items], negative, [named[at] for at in best["polarity"]])


def main() -> None:
    parser = argparse.ArgumentParser(description="The sentence reader beside the rules")
    parser.add_argument("folds", type=Path)
    asked = parser.parse_args()
    print("\n".join(measure(examples(load_worlds()), asked.folds)))  # noqa: T201


if __name__ == "__main__":
    main()

"""Fine-tune the reading model: the act of a clause, and what a later message says of an open item.

    PYTHONPATH=src python -m training.reading_model --out FOLDER

Training starts from the bundled encoder and ends in the mean of the weights of three runs, which differ in the order of
examples. Both heads learn at once: clauses and items of the inboxes, sentences of the worlds, closing cases. The sets
of `inbox_examples.HELD` are read at the end and saved for `training.calibrate_reading`. Five minutes on a GPU.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import torch
from tokenizers import BertWordPieceTokenizer

from recollect.embed.local import load_tokenizer
from recollect.text_models.closure import OUTCOMES
from recollect.text_models.pair_model import MAX_CONTEXT, MAX_FIRST, MAX_SECOND, MAX_SENTENCE
from recollect.text_models.sentence import ACTS, SentenceInput
from training.closure_cases import load_cases, pair_examples
from training.corpus import load_worlds
from training.inbox_examples import HELD, clause_examples, item_examples
from training.labelled_sentences import MODALITIES, Example, examples, single_sentences
from training.layers import BUNDLED, bundled_weights, save_layers
from training.pair_classifier import SEP, PairClassifier, PairPlan, Row, only, predict, similar_batches, trained_mean

HEADS = {"act": len(ACTS), "outcome": len(OUTCOMES)}
PLAN = PairPlan(epochs=7, rate=1.5e-4, layers=4, runs=3)
CONTRASTS = "contrast"
"""How the files of contrasts begin; they are few and learned whole in every epoch."""
NO_CONTEXT = 0.15
"""How often a clause is learned without what stands before it."""
NOT_MEANT = frozenset({"doubted", "conditional", "hoped", "considered", "attempted", "figurative"})


@cache
def _tokenizer() -> BertWordPieceTokenizer:
    return load_tokenizer(BUNDLED, longest=None)


@cache
def token_ids(text: str) -> tuple[int, ...]:
    return tuple(_tokenizer().encode(text, add_special_tokens=False).ids)


def sentence_row(sentence: SentenceInput, shares: tuple[float, ...], group: str, weight: float = 1.0) -> Row:
    context = token_ids(sentence.context)
    kept = (*context[:1], *context[1:][-(MAX_CONTEXT - 1) :])
    return Row(kept, token_ids(sentence.text)[:MAX_SENTENCE] or (SEP,), shares, "act", group, weight)


def item_row(item: str, message: str, outcome: int, group: str) -> Row:
    return Row(
        token_ids(item)[:MAX_FIRST], token_ids(message)[:MAX_SECOND], only(outcome, len(OUTCOMES)), "outcome", group
    )


def clause_rows(*, is_held: bool) -> list[Row]:
    """Clauses of the inboxes that are learned from, or of those that are not."""
    found = [each for each in clause_examples() if (each.group in HELD) == is_held and (is_held or each.weight)]
    return [sentence_row(each.sentence, each.acts, each.group, each.weight) for each in found]


def _world_row(each: Example) -> Row:
    act = 0 if MODALITIES[each.modality] in NOT_MEANT else each.act
    return sentence_row(each.sentence, only(act, len(ACTS)), each.group)


def item_rows(*, is_held: bool) -> list[Row]:
    """Items of the inboxes that are learned from, or of those that are not."""
    found = [each for each in item_examples() if (each.group in HELD) == is_held]
    return [item_row(each.item, each.message, each.outcome, each.group) for each in found]


def case_rows(seed: int, *, is_contrast: bool) -> list[Row]:
    """Closing cases of the corpus; contrasts are reports beside other remarks on the very thing."""
    cases = [each for each in load_cases() if each.group.startswith(CONTRASTS) == is_contrast]
    found = pair_examples(cases, seed, 5)
    return [item_row(each.pair.item.model_text, each.pair.model_text, each.outcome, each.group) for each in found]


@dataclass(frozen=True, slots=True)
class ReadingLessons:
    """The inboxes, and the older corpus, a third of which is drawn in later epochs."""

    clauses: list[Row]
    items: list[Row]
    sentences: list[Row]
    cases: list[list[Row]]
    contrasts: list[Row]

    @classmethod
    def load(cls) -> ReadingLessons:
        worlds = [_world_row(each) for each in examples(load_worlds()) + single_sentences() * 2]
        cases = [case_rows(seed, is_contrast=False) for seed in (1, 2)]
        contrasts = case_rows(1, is_contrast=True)
        return cls(clause_rows(is_held=False), item_rows(is_held=False), worlds, cases, contrasts)

    def batches(self, run: int, epoch: int, random: Random) -> list[list[Row]]:
        is_late = epoch >= PLAN.epochs // 3
        cases = self.cases[(run + epoch) % len(self.cases)]
        made = [*similar_batches(_drawn(self.sentences, is_late, random), 128, random)]
        made += similar_batches(_drawn(cases, is_late, random), 256, random)
        made += similar_batches(self.contrasts * 2, 128, random)
        for _ in range(3 if is_late else 1):
            made += similar_batches(self.clauses, 96, random)
        told = [each for each in self.items if each.label]
        silent = [each for each in self.items if not each.label]
        for _ in range(2 if is_late else 1):
            drawn = random.sample(silent, min(len(silent), 12 * len(told)))
            made += similar_batches(told * 2 + drawn, 192, random)
        random.shuffle(made)
        return made


def _drawn(rows: list[Row], is_late: bool, random: Random) -> list[Row]:
    return random.sample(rows, len(rows) // 3) if is_late else rows


def without_context(row: Row, random: Random) -> Row:
    """Some clauses without what stands before them, so that the model learns to read them alone."""
    is_alone = row.head == "act" and random.random() < NO_CONTEXT
    return replace(row, first=row.first[:1]) if is_alone else row


def main() -> None:
    parser = argparse.ArgumentParser(description="Fine-tune the reading model")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--few", type=int, default=0, help="learn from so many rows of each kind only, to try the script"
    )
    parser.add_argument("--layers", type=int, default=PLAN.layers)
    asked = parser.parse_args()
    plan = replace(PLAN, layers=asked.layers)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    begun = time.monotonic()
    lessons = ReadingLessons.load()
    if few := asked.few:
        cases = [each[:few] for each in lessons.cases]
        kept = (lessons.clauses, lessons.items, lessons.sentences)
        lessons = ReadingLessons(*(each[:few] for each in kept), cases, lessons.contrasts[:few])
    torch.manual_seed(1)
    start = PairClassifier(bundled_weights(), plan, HEADS)
    model = trained_mean(start, lessons, plan, device, without_context)
    asked.out.mkdir(parents=True, exist_ok=True)
    act, outcome = (predict(model, rows(is_held=True), device) for rows in (clause_rows, item_rows))
    np.savez_compressed(asked.out / "reading-held.npz", act=act, outcome=outcome)
    state = {name.removeprefix("body."): value.float().cpu().numpy() for name, value in model.state_dict().items()}
    save_layers(state, [asked.out / f"reading-{at}.npz" for at in (1, 2)])
    report = {"clauses": len(lessons.clauses), "items": len(lessons.items), "seconds": time.monotonic() - begun}
    print(json.dumps(report))  # noqa: T201


if __name__ == "__main__":
    main()

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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from recollect.text_models.closure import OUTCOMES
from recollect.text_models.closure_matcher import MAX_FIRST, MAX_SECOND
from recollect.text_models.sentence import ACTS, SentenceInput
from recollect.text_models.sentence_reader import MAX_CONTEXT, MAX_SENTENCE
from training.bert import WIDTH, load_encoder
from training.closure_cases import load_cases, pair_examples
from training.corpus import load_worlds
from training.inbox_examples import HELD, clause_examples, item_examples
from training.labelled_sentences import MODALITIES, Example, examples, single_sentences
from training.layers import BUNDLED, Weights, bundled_weights, save_layers
from training.pair_classifier import SEP, Row, to_batch

HEADS = {"act": len(ACTS), "outcome": len(OUTCOMES)}
EPOCHS, RATE, RUNS = 7, 1.5e-4, 3
MASKED, NO_CONTEXT, SMOOTHED = 0.08, 0.15, 0.05
NOT_MEANT = frozenset({"doubted", "conditional", "hoped", "considered", "attempted", "figurative"})


@dataclass(frozen=True, slots=True)
class Lesson:
    """A pair of texts as tokens, and the share of each label of its head."""

    row: Row
    head: str
    wanted: tuple[float, ...]
    weight: float = 1.0


class ReadingModel(nn.Module):
    """The encoder over two texts, with linear heads on the first token and the mean of the second text."""

    def __init__(self, weights: Weights) -> None:
        super().__init__()
        self.body = load_encoder(weights)
        self.body.embeddings["word_embeddings"].weight.requires_grad = False
        self.heads = nn.ModuleDict({name: nn.Linear(2 * WIDTH, size) for name, size in HEADS.items()})
        self.dropout = nn.Dropout(0.1)

    def forward(self, ids: Tensor, mask: Tensor, segments: Tensor, head: str) -> Tensor:
        hidden = self.body.hidden(ids, mask, segments).float()
        counted = segments[:, :, None].to(hidden.dtype)
        mean = (hidden * counted).sum(1) / counted.sum(1).clamp(min=1)
        made: Tensor = self.heads[head](self.dropout(torch.cat([hidden[:, 0], mean], dim=-1)))
        return made


@cache
def _tokenizer() -> Tokenizer:
    return Tokenizer.from_file(str(BUNDLED / "tokenizer.json"))


@cache
def token_ids(text: str) -> tuple[int, ...]:
    return tuple(_tokenizer().encode(text, add_special_tokens=False).ids)


def sentence_row(sentence: SentenceInput, group: str) -> Row:
    context = token_ids(sentence.context)
    kept = [*context[:1], *context[1:][-(MAX_CONTEXT - 1) :]]
    return Row(kept, list(token_ids(sentence.text)[:MAX_SENTENCE]) or [SEP], 0, group)


def item_row(item: str, message: str, group: str) -> Row:
    return Row(list(token_ids(item)[:MAX_FIRST]), list(token_ids(message)[:MAX_SECOND]), 0, group)


def _one(label: int, size: int) -> tuple[float, ...]:
    return tuple(float(at == label) for at in range(size))


def clause_lessons() -> list[Lesson]:
    """Clauses of the inboxes that are learned from."""
    return [
        Lesson(sentence_row(each.sentence, each.group), "act", each.acts, each.weight)
        for each in clause_examples()
        if each.group not in HELD and each.weight
    ]


def _world_lesson(each: Example) -> Lesson:
    act = 0 if MODALITIES[each.modality] in NOT_MEANT else each.act
    return Lesson(sentence_row(each.sentence, each.group), "act", _one(act, len(ACTS)))


def item_lessons() -> list[Lesson]:
    """Items of the inboxes that are learned from."""
    return [
        Lesson(item_row(each.item, each.message, each.group), "outcome", _one(each.outcome, len(OUTCOMES)))
        for each in item_examples()
        if each.group not in HELD
    ]


def case_lessons(seed: int) -> list[Lesson]:
    """Closing cases of the corpus."""
    return [
        Lesson(item_row(each.pair.item.told, each.pair.told, each.group), "outcome", _one(each.outcome, len(OUTCOMES)))
        for each in pair_examples(load_cases(), seed, 5)
    ]


@dataclass(frozen=True, slots=True)
class Lessons:
    """What is learned from: the inboxes, and the older corpus, a third of which is drawn in later epochs."""

    clauses: list[Lesson]
    items: list[Lesson]
    sentences: list[Lesson]
    cases: list[list[Lesson]]

    @classmethod
    def load(cls) -> Lessons:
        worlds = [_world_lesson(each) for each in examples(load_worlds()) + single_sentences() * 2]
        return cls(clause_lessons(), item_lessons(), worlds, [case_lessons(seed) for seed in (1, 2)])

    def batches(self, epoch: int, random: Random) -> list[list[Lesson]]:
        is_late = epoch >= EPOCHS // 3
        cases = self.cases[epoch % len(self.cases)]
        made = [*_batches(_drawn(self.sentences, is_late, random), 128, random)]
        made += _batches(_drawn(cases, is_late, random), 256, random)
        for _ in range(3 if is_late else 1):
            made += _batches(self.clauses, 64, random)
        told = [each for each in self.items if not each.wanted[0]]
        silent = [each for each in self.items if each.wanted[0]]
        for _ in range(2 if is_late else 1):
            drawn = random.sample(silent, min(len(silent), 12 * len(told)))
            made += _batches(told * 2 + drawn, 128, random)
        random.shuffle(made)
        return made


def _drawn(lessons: list[Lesson], is_late: bool, random: Random) -> list[Lesson]:
    return random.sample(lessons, len(lessons) // 3) if is_late else lessons


def _batches(lessons: Sequence[Lesson], size: int, random: Random) -> Iterator[list[Lesson]]:
    order = sorted(lessons, key=lambda each: ((len(each.row.first) + len(each.row.second)) // 8, random.random()))
    for start in range(0, len(order), size):
        yield order[start : start + size]


def fit(model: ReadingModel, lessons: Lessons, seed: int, device: torch.device) -> None:
    """Train on all lessons, batches of one head after the other in random order."""
    random = Random(seed)
    torch.manual_seed(seed)
    body = [each for each in model.body.parameters() if each.requires_grad]
    optimiser = torch.optim.AdamW(
        [{"params": model.heads.parameters(), "lr": 10 * RATE}, {"params": body, "lr": RATE}], weight_decay=0.01
    )
    steps = sum(len(lessons.batches(epoch, Random(0))) for epoch in range(EPOCHS))
    warm = steps // 10 + 1
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda at: max(0.0, min((at + 1) / warm, (steps - at) / max(1, steps - warm)))
    )
    model.train()
    for epoch in range(EPOCHS):
        for batch in lessons.batches(epoch, random):
            loss = _loss(model, batch, random, device)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            schedule.step()
    model.eval()


def _loss(model: ReadingModel, batch: Sequence[Lesson], random: Random, device: torch.device) -> Tensor:
    head = batch[0].head
    rows = [_without_context(each.row, random) if head == "act" else each.row for each in batch]
    with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
        made = model(*to_batch(rows, device, MASKED, random), head)
    wanted = torch.tensor([each.wanted for each in batch], device=device)
    wanted = wanted * (1 - SMOOTHED) + SMOOTHED / HEADS[head]
    weights = torch.tensor([each.weight for each in batch], device=device)
    each_loss = -(wanted * functional.log_softmax(made.float(), -1)).sum(-1)
    return (each_loss * weights).sum() / weights.sum()


def _without_context(row: Row, random: Random) -> Row:
    return Row(row.first[:1], row.second, 0, row.group) if random.random() < NO_CONTEXT else row


@torch.no_grad()
def predict(model: ReadingModel, rows: Sequence[Row], head: str, device: torch.device) -> NDArray[np.float32]:
    """Logits of a head."""
    logits = np.zeros((len(rows), HEADS[head]), np.float32)
    order = sorted(range(len(rows)), key=lambda at: len(rows[at].first) + len(rows[at].second))
    for start in range(0, len(order), 256):
        places = order[start : start + 256]
        logits[places] = model(*to_batch([rows[at] for at in places], device), head).float().cpu().numpy()
    return logits


def trained_model(lessons: Lessons, device: torch.device) -> ReadingModel:
    """The mean of runs that begin with the same weights, heads included."""
    torch.manual_seed(1)
    start = ReadingModel(bundled_weights())
    begun = {name: value.clone() for name, value in start.state_dict().items()}
    states = []
    for seed in range(1, RUNS + 1):
        start.load_state_dict(begun)
        fit(start.to(device), lessons, seed, device)
        states.append({name: value.float().cpu() for name, value in start.state_dict().items()})
    start.load_state_dict({name: torch.stack([each[name] for each in states]).mean(0) for name in begun})
    return start.to(device).eval()


def main() -> None:
    parser = argparse.ArgumentParser(description="Fine-tune the reading model")
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    begun = time.monotonic()
    lessons = Lessons.load()
    model = trained_model(lessons, device)
    asked.out.mkdir(parents=True, exist_ok=True)
    clauses = [sentence_row(each.sentence, each.group) for each in clause_examples() if each.group in HELD]
    items = [item_row(each.item, each.message, each.group) for each in item_examples() if each.group in HELD]
    act, outcome = predict(model, clauses, "act", device), predict(model, items, "outcome", device)
    np.savez_compressed(asked.out / "reading-held.npz", act=act, outcome=outcome)
    state = {name.removeprefix("body."): value.float().cpu().numpy() for name, value in model.state_dict().items()}
    save_layers(state, [asked.out / f"reading-{at}.npz" for at in (1, 2)])
    report = {"clauses": len(lessons.clauses), "items": len(lessons.items), "seconds": time.monotonic() - begun}
    print(json.dumps(report))  # noqa: T201


if __name__ == "__main__":
    main()

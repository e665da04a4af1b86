"""Fine-tune the encoder to label pairs of texts: what the reading model and the entailment model share."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, multiprocessing, nn
from torch.nn import functional

from training.bert import WIDTH, load_encoder
from training.layers import Weights
from training.weight_rounding import keep_rounded, round_in_training

CLS, SEP, MASK = 101, 102, 103
Batch = tuple[Tensor, Tensor, Tensor]


@dataclass(frozen=True, slots=True)
class PairPlan:
    """How a classifier is trained; a plan of a model adds what is its own."""

    epochs: int = 8
    rate: float = 2e-4
    batch: int = 256
    layers: int = 6
    dropout: float = 0.1
    masked: float = 0.08
    smoothed: float = 0.05
    runs: int = 1
    levels: int = 0
    """How many values on each side of zero the weights of a matrix may have; 0: any."""


@dataclass(frozen=True, slots=True)
class Row:
    """Token ids of both texts, the head that reads them, and the share of each of its labels.

    `group` is what the pair was taken from.
    """

    first: Sequence[int]
    second: Sequence[int]
    shares: tuple[float, ...]
    head: str
    group: str = ""
    weight: float = 1.0

    @property
    def label(self) -> int:
        """The place of the label with the largest share."""
        return self.shares.index(max(self.shares))


def only(label: int, labels: int) -> tuple[float, ...]:
    """The shares of a row that has one label."""
    return tuple(float(at == label) for at in range(labels))


class PairClassifier(nn.Module):
    """The encoder over two texts, with linear heads on the first token and the mean of the second text."""

    def __init__(self, weights: Weights, plan: PairPlan, heads: Mapping[str, int]) -> None:
        super().__init__()
        self.body = load_encoder(weights)
        del self.body.encoder["layer"][plan.layers :]
        self.body.embeddings["word_embeddings"].weight.requires_grad = False
        self.heads = nn.ModuleDict({name: nn.Linear(2 * WIDTH, labels) for name, labels in heads.items()})
        self.dropout = nn.Dropout(plan.dropout)
        if plan.levels:
            round_in_training(self.body.encoder, plan.levels)

    def forward(self, ids: Tensor, mask: Tensor, segments: Tensor, head: str) -> Tensor:
        hidden = self.body.hidden(ids, mask, segments).float()
        counted = segments[:, :, None].to(hidden.dtype)
        mean = (hidden * counted).sum(1) / counted.sum(1).clamp(min=1)
        made: Tensor = self.heads[head](self.dropout(torch.cat([hidden[:, 0], mean], dim=-1)))
        return made


Vary = Callable[[Row, Random], Row]
"""Another form of a row, drawn anew each time it is learned from."""


class Lessons(Protocol):
    """What is learned from: batches of rows of one head each."""

    def batches(self, run: int, epoch: int, random: Random) -> list[list[Row]]:
        """The batches of an epoch, in the order in which they are learned."""


def to_batch(rows: Sequence[Row], device: torch.device, masked: float = 0.0, random: Random | None = None) -> Batch:
    """Ids, mask and segments; with `random` some tokens are masked."""
    made = [([CLS, *row.first, SEP, *row.second, SEP], len(row.first) + 2) for row in rows]
    width = max(len(ids) for ids, _ in made)
    ids, mask, segments = (np.zeros((len(made), width), np.int64) for _ in range(3))
    for at, (tokens, start) in enumerate(made):
        ids[at, : len(tokens)] = tokens
        mask[at, : len(tokens)] = 1
        segments[at, start : len(tokens) - 1] = 1
    if random is not None:
        drawn = np.random.default_rng(random.getrandbits(32)).random(ids.shape) < masked
        ids[drawn & (ids > SEP)] = MASK
    a, b, c = (torch.from_numpy(each).to(device) for each in (ids, mask, segments))
    return a, b, c


def similar_batches(rows: Sequence[Row], size: int, random: Random) -> Iterator[list[Row]]:
    """Batches of similar length, the shortest first."""
    order = sorted(rows, key=lambda row: ((len(row.first) + len(row.second)) // 8, random.random()))
    for start in range(0, len(order), size):
        yield order[start : start + size]


def fit(model: PairClassifier, lessons: Lessons, plan: PairPlan, run: int, vary: Vary) -> None:
    """Train on one epoch of lessons after another."""
    device = next(model.parameters()).device
    random = Random(run)
    torch.manual_seed(run)
    body = [each for each in model.body.parameters() if each.requires_grad]
    groups = [{"params": model.heads.parameters(), "lr": 10 * plan.rate}, {"params": body, "lr": plan.rate}]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    steps = sum(len(lessons.batches(run, epoch, Random(0))) for epoch in range(plan.epochs))
    warm = max(1, steps // 10)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda at: max(0.0, min((at + 1) / warm, (steps - at) / max(1, steps - warm)))
    )
    model.train()
    for epoch in range(plan.epochs):
        for batch in lessons.batches(run, epoch, random):
            varied = [vary(row, random) for row in batch]
            with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
                made = model(*to_batch(varied, device, plan.masked, random), batch[0].head)
            loss = _loss(made.float(), batch, plan.smoothed)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            schedule.step()
    model.eval()


def _loss(made: Tensor, batch: Sequence[Row], smoothed: float) -> Tensor:
    wanted = torch.tensor([row.shares for row in batch], device=made.device)
    wanted = wanted * (1 - smoothed) + smoothed / wanted.shape[1]
    weights = torch.tensor([row.weight for row in batch], device=made.device)
    each_loss = -(wanted * functional.log_softmax(made, -1)).sum(-1)
    return (each_loss * weights).sum() / weights.sum()


def trained_mean(
    start: PairClassifier, lessons: Lessons, plan: PairPlan, device: torch.device, vary: Vary
) -> PairClassifier:
    """The mean of the weights of several runs from the same start, side by side on a GPU."""
    jobs = [(start, lessons, plan, device.type, vary, run) for run in range(1, plan.runs + 1)]
    if device.type == "cuda" and plan.runs > 1:
        with multiprocessing.get_context("spawn").Pool(plan.runs) as pool:
            states = pool.map(_trained_state, jobs)
    else:
        states = [_trained_state(job) for job in jobs]
    mean = {name: np.mean([each[name] for each in states], axis=0) for name in states[0]}
    start.load_state_dict({name: torch.from_numpy(value) for name, value in mean.items()})
    keep_rounded(start.body.encoder)
    return start.to(device).eval()


def _trained_state(job: tuple[PairClassifier, Lessons, PairPlan, str, Vary, int]) -> dict[str, NDArray[Any]]:
    """The weights after one run."""
    start, lessons, plan, device, vary, run = job
    model = copy.deepcopy(start).to(device)
    fit(model, lessons, plan, run, vary)
    return {name: value.float().cpu().numpy() for name, value in model.state_dict().items()}


@torch.no_grad()
def predict(model: PairClassifier, rows: Sequence[Row], device: torch.device) -> NDArray[np.float32]:
    """Logits of the labels; all rows are of one head."""
    head = rows[0].head
    logits = np.zeros((len(rows), len(rows[0].shares)), np.float32)
    order = sorted(range(len(rows)), key=lambda at: len(rows[at].first) + len(rows[at].second))
    for start in range(0, len(order), 256):
        places = order[start : start + 256]
        logits[places] = model(*to_batch([rows[at] for at in places], device), head).float().cpu().numpy()
    return logits

"""Fine-tune the encoder to label pairs of texts: what the closure matcher and the entailment model share."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from training.bert import WIDTH, load_encoder
from training.layers import Weights

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


@dataclass(frozen=True, slots=True)
class Row:
    """Token ids of both texts and the place of the label; `group` is what the pair was taken from."""

    first: list[int]
    second: list[int]
    label: int
    group: str = ""


class PairClassifier(nn.Module):
    """The encoder over two texts, with a linear head on the first token and the mean of the second text."""

    def __init__(self, weights: Weights, plan: PairPlan, head: str, labels: int) -> None:
        super().__init__()
        self.body = load_encoder(weights)
        del self.body.encoder["layer"][plan.layers :]
        self.body.embeddings["word_embeddings"].weight.requires_grad = False
        self.heads = nn.ModuleDict({head: nn.Linear(2 * WIDTH, labels)})
        self.head = head
        self.dropout = nn.Dropout(plan.dropout)

    def forward(self, ids: Tensor, mask: Tensor, segments: Tensor) -> Tensor:
        hidden = self.body.hidden(ids, mask, segments).float()
        counted = segments[:, :, None].to(hidden.dtype)
        mean = (hidden * counted).sum(1) / counted.sum(1)
        made: Tensor = self.heads[self.head](self.dropout(torch.cat([hidden[:, 0], mean], dim=-1)))
        return made


Vary = Callable[[Row, Random], Row]
"""Another form of a row, drawn anew each time it is learned from."""


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


def _batches(rows: Sequence[Row], size: int, random: Random) -> Iterator[list[Row]]:
    """Batches of similar length in random order."""
    order = sorted(rows, key=lambda row: ((len(row.first) + len(row.second)) // 8, random.random()))
    batches = [order[start : start + size] for start in range(0, len(order), size)]
    random.shuffle(batches)
    yield from batches


def fit(model: PairClassifier, draws: Sequence[Sequence[Row]], plan: PairPlan, seed: int, vary: Vary) -> None:
    """Train on one draw of examples after another."""
    device = next(model.parameters()).device
    random = Random(seed)
    torch.manual_seed(seed)
    body = [each for each in model.body.parameters() if each.requires_grad]
    groups = [{"params": model.heads.parameters(), "lr": 10 * plan.rate}, {"params": body, "lr": plan.rate}]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    steps = sum(-(-len(draws[at % len(draws)]) // plan.batch) for at in range(plan.epochs))
    warm = max(1, steps // 10)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda at: max(0.0, min((at + 1) / warm, (steps - at) / max(1, steps - warm)))
    )
    model.train()
    for epoch in range(plan.epochs):
        for batch in _batches(draws[epoch % len(draws)], plan.batch, random):
            labels = torch.tensor([row.label for row in batch], device=device)
            varied = [vary(row, random) for row in batch]
            with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
                made = model(*to_batch(varied, device, plan.masked, random))
            loss = functional.cross_entropy(made.float(), labels, label_smoothing=plan.smoothed)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            schedule.step()
    model.eval()


def trained_mean(
    start: PairClassifier, draws: Sequence[Sequence[Row]], plan: PairPlan, device: torch.device, vary: Vary
) -> PairClassifier:
    """The mean of the weights of several runs from the same start, each beginning with another draw."""
    states = []
    for number in range(plan.runs):
        model = copy.deepcopy(start).to(device)
        turned = [*draws[number % len(draws) :], *draws[: number % len(draws)]]
        fit(model, turned, plan, number + 1, vary)
        states.append(model.state_dict())
    start.load_state_dict({name: torch.stack([each[name].cpu() for each in states]).mean(0) for name in states[0]})
    return start.to(device).eval()


@torch.no_grad()
def predict(model: PairClassifier, rows: Sequence[Row], device: torch.device) -> NDArray[np.float32]:
    """Logits of the labels."""
    labels = model.heads[model.head].out_features
    logits = np.zeros((len(rows), labels), np.float32)
    order = sorted(range(len(rows)), key=lambda at: len(rows[at].first) + len(rows[at].second))
    for start in range(0, len(order), 256):
        places = order[start : start + 256]
        logits[places] = model(*to_batch([rows[at] for at in places], device)).float().cpu().numpy()
    return logits

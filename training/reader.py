"""Fine-tune the sentence reader: act, modality, polarity, owner and spans of a sentence with its context.

    PYTHONPATH=src python -m training.reader --out FOLDER [--fold N] [--guesses GUESSES.npz --soft 0.6] [--keep]

With `--fold` one fold of the worlds is read by a model that was trained on the others: these predictions calibrate the
probabilities and set the thresholds (`training.calibrate_reader`). Without, the model is trained on all worlds, to
ship. `training.reader_sweep` runs all of them. Training starts from the bundled encoder.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from training.bert import WIDTH, load_encoder
from training.corpus import load_worlds
from training.labelled_sentences import TAGS, Example, examples, single_sentences
from training.layers import BUNDLED, Weights, bundled_weights, save_layers
from training.sentence_reader import ACTS, MODALITIES, OWNERS, POLARITIES

HEADS = {"act": len(ACTS), "modality": len(MODALITIES), "polarity": len(POLARITIES), "owner": len(OWNERS)}
SHARES = {"act": 1.0, "modality": 0.7, "polarity": 0.5, "owner": 0.3, "tags": 0.5}
MAX_CONTEXT, MAX_SENTENCE = 48, 96
CLS, SEP, MASK = 101, 102, 103


@dataclass(frozen=True, slots=True)
class Plan:
    epochs: int = 5
    rate: float = 1e-4
    batch: int = 64
    layers: int = 6
    dropout: float = 0.1
    masked: float = 0.08
    no_context: float = 0.2
    soft: float = 0.0
    singles: int = 2
    frozen: int = 0
    seed: int = 1


class Reader(nn.Module):
    """The encoder with linear heads on the mean of the sentence's tokens, and one on every token."""

    def __init__(self, weights: Weights, plan: Plan) -> None:
        super().__init__()
        self.body = load_encoder(weights)
        del self.body.encoder["layer"][plan.layers :]
        self.body.embeddings["word_embeddings"].weight.requires_grad = False
        if plan.frozen:
            self.body.requires_grad_(False)
        self.heads = nn.ModuleDict({name: nn.Linear(2 * WIDTH, size) for name, size in HEADS.items()})
        self.tags = nn.Linear(WIDTH, len(TAGS))
        self.dropout = nn.Dropout(plan.dropout)

    def forward(self, ids: Tensor, mask: Tensor, segments: Tensor) -> dict[str, Tensor]:
        hidden = self.body.hidden(ids, mask, segments).float()
        counted = segments[:, :, None].to(hidden.dtype)
        mean = (hidden * counted).sum(1) / counted.sum(1)
        pooled = self.dropout(torch.cat([hidden[:, 0], mean], dim=-1))
        return {name: head(pooled) for name, head in self.heads.items()} | {"tags": self.tags(self.dropout(hidden))}


@dataclass(frozen=True, slots=True)
class Encoded:
    """Token ids of context and sentence, and the tag of every token of the sentence."""

    context: list[int]
    sentence: list[int]
    tags: list[int]


def encode(items: Sequence[Example]) -> list[Encoded]:
    tokenizer = Tokenizer.from_file(str(BUNDLED / "tokenizer.json"))
    contexts = tokenizer.encode_batch([each.sentence.context for each in items], add_special_tokens=False)
    texts = tokenizer.encode_batch([each.sentence.text for each in items], add_special_tokens=False)
    return [
        Encoded(
            context.ids[:1] + context.ids[1:][-(MAX_CONTEXT - 1) :],
            text.ids[:MAX_SENTENCE] or [SEP],
            token_tags(each.spans, text.offsets[:MAX_SENTENCE] or [(0, 0)]),
        )
        for each, context, text in zip(items, contexts, texts, strict=True)
    ]


def token_tags(spans: Sequence[tuple[str, int, int]], offsets: Sequence[tuple[int, int]]) -> list[int]:
    tags = [0] * len(offsets)
    for role, start, stop in spans:
        inside = [at for at, (lo, hi) in enumerate(offsets) if lo < stop and hi > start]
        for at in inside:
            tags[at] = TAGS.index(f"{'B' if at == inside[0] else 'I'}-{role}")
    return tags


Batch = tuple[Tensor, Tensor, Tensor, Tensor]


def to_batch(
    rows: Sequence[Encoded], device: torch.device, plan: Plan | None = None, random: Random | None = None
) -> Batch:
    """Ids, mask, segments and tags; while training some contexts are left out and some tokens masked."""
    made = []
    for row in rows:
        context = row.context
        if plan and random and random.random() < plan.no_context:
            context = context[:1]
        words = row.sentence
        if plan and random and plan.masked:
            words = [MASK if random.random() < plan.masked else each for each in words]
        made.append(([CLS, *context, SEP, *words, SEP], len(context) + 2, row.tags))
    width = max(len(ids) for ids, _, _ in made)
    ids, mask, segments = (np.zeros((len(made), width), np.int64) for _ in range(3))
    tags = np.full((len(made), width), -100, np.int64)
    for at, (tokens, first, marks) in enumerate(made):
        ids[at, : len(tokens)] = tokens
        mask[at, : len(tokens)] = 1
        segments[at, first : len(tokens) - 1] = 1
        tags[at, first : len(tokens) - 1] = marks
    return tuple(torch.from_numpy(each).to(device) for each in (ids, mask, segments, tags))  # type: ignore[return-value]


Targets = dict[str, NDArray[np.float32]]


def make_targets(items: Sequence[Example], guesses: Mapping[str, NDArray[np.float32]], soft: float) -> Targets:
    """The labels as shares, `soft` of each what a model guessed that had not seen the sentence's world.

    Every sentence was labelled by one writer, and writers differ; the guess stands for what others would have said.
    """
    made = {}
    for name, size in HEADS.items():
        shares = np.eye(size, dtype=np.float32)[[getattr(each, name) for each in items]]
        if soft and name in guesses:
            known = guesses[name]
            powers = np.exp(known - known.max(axis=1, keepdims=True))
            shares[: len(known)] += soft * (powers / powers.sum(axis=1, keepdims=True) - shares[: len(known)])
        made[name] = shares
    return made


def train(
    items: Sequence[Example], rows: Sequence[Encoded], wanted: Targets, plan: Plan, device: torch.device
) -> Reader:
    torch.manual_seed(plan.seed)
    random = Random(plan.seed)
    model = Reader(bundled_weights(), plan).to(device).train()
    bodies = [each for each in model.body.parameters() if each.requires_grad]
    others = [*model.heads.parameters(), *model.tags.parameters()]
    groups = [{"params": others, "lr": 10 * plan.rate}] + ([{"params": bodies, "lr": plan.rate}] if bodies else [])
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    steps = plan.epochs * -(-len(items) // plan.batch)
    warm = max(1, steps // 10)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda at: min((at + 1) / warm, (steps - at) / max(1, steps - warm))
    )
    targets = {name: torch.from_numpy(wanted[name]).to(device) for name in HEADS}
    for places in _batches([len(row.context) + len(row.sentence) for row in rows], plan, random):
        ids, mask, segments, tags = to_batch([rows[at] for at in places], device, plan, random)
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            made = model(ids, mask, segments)
        chosen = torch.tensor(places, device=device)
        loss = SHARES["tags"] * functional.cross_entropy(
            made["tags"].float().flatten(0, 1), tags.flatten(), ignore_index=-100
        )
        for name in HEADS:
            part = functional.cross_entropy(made[name].float(), targets[name][chosen])
            loss = loss + SHARES[name] * part
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_([*bodies, *others], 1.0)
        optimiser.step()
        schedule.step()
    return model.eval()


def _batches(lengths: Sequence[int], plan: Plan, random: Random) -> Iterator[list[int]]:
    """Batches of similar length in random order."""
    for _ in range(plan.epochs):
        order = sorted(range(len(lengths)), key=lambda at: (lengths[at] // 6, random.random()))
        batches = [order[start : start + plan.batch] for start in range(0, len(order), plan.batch)]
        random.shuffle(batches)
        yield from batches


@torch.no_grad()
def predict(
    model: Reader, rows: Sequence[Encoded], device: torch.device
) -> tuple[dict[str, NDArray[np.float32]], list[list[int]]]:
    """Logits of every head, and the likeliest tag of every token of the sentence."""
    logits = {name: np.zeros((len(rows), size), np.float32) for name, size in HEADS.items()}
    tags: list[list[int]] = [[] for _ in rows]
    order = sorted(range(len(rows)), key=lambda at: len(rows[at].context) + len(rows[at].sentence))
    for start in range(0, len(order), 256):
        places = order[start : start + 256]
        ids, mask, segments, marks = to_batch([rows[at] for at in places], device)
        made = model(ids, mask, segments)
        for name in HEADS:
            logits[name][places] = made[name].float().cpu().numpy()
        best = made["tags"].argmax(-1).cpu().numpy()
        for row, at in enumerate(places):
            tags[at] = best[row][marks[row].cpu().numpy() >= 0].tolist()
    return logits, tags


def folds(items: Sequence[Example], count: int) -> list[list[int]]:
    """Positions of the examples by fold; all of a world are in the same."""
    names = sorted({each.group for each in items})
    fold = {name: at % count for at, name in enumerate(names)}
    return [[at for at, each in enumerate(items) if fold[each.group] == wanted] for wanted in range(count)]


def reader_weights(model: Reader) -> Weights:
    state = model.state_dict()
    return {name.removeprefix("body."): value.float().cpu().numpy() for name, value in state.items()}


def accuracy(
    logits: dict[str, NDArray[np.float32]], items: Sequence[Example], places: Sequence[int]
) -> dict[str, float]:
    found = {}
    for name in HEADS:
        truth = np.array([getattr(items[at], name) for at in places])
        best = logits[name][places].argmax(1)
        found[name] = round(float((best == truth).mean()), 4)
        shares = []
        for label in np.unique(truth):
            right = ((best == label) & (truth == label)).sum()
            shares.append(2 * right / ((best == label).sum() + (truth == label).sum()))
        found[f"{name}_macro_f1"] = round(float(np.mean(shares)), 4)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Fine-tune the sentence reader")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--name", default="reader")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--fold", type=int, default=-1, help="which fold to read; without one, train on everything")
    parser.add_argument("--also", type=int, default=-1, help="a second fold to leave out of the training and read")
    parser.add_argument("--guesses", type=Path, help="predictions of an earlier run, for soft labels")
    parser.add_argument("--keep", action="store_true", help="save the weights")
    for field, default in asdict(Plan()).items():
        parser.add_argument(f"--{field.replace('_', '-')}", type=type(default), default=default)
    asked = parser.parse_args()
    plan = Plan(**{name: getattr(asked, name) for name in asdict(Plan())})
    run(plan, asked)


def run(plan: Plan, asked: argparse.Namespace) -> None:
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    items = examples(load_worlds())
    rows = encode(items)
    parts = folds(items, asked.folds)
    held = sorted(at for fold in {asked.fold, asked.also} - {-1} for at in parts[fold])
    rest = sorted(set(range(len(items))) - set(held))
    extra = single_sentences() * plan.singles
    guesses: dict[str, NDArray[np.float32]] = {}
    if asked.guesses:
        with np.load(asked.guesses) as stored:
            guesses = {name: stored[name].astype(np.float32)[rest] for name in HEADS}
    learned = [*(items[at] for at in rest), *extra]
    start = time.monotonic()
    model = train(
        learned, [*(rows[at] for at in rest), *encode(extra)], make_targets(learned, guesses, plan.soft), plan, device
    )
    report: dict[str, object] = {"name": asked.name, "plan": asdict(plan), "sentences": len(items), "fold": asked.fold}
    if held:
        logits, tags = predict(model, [rows[at] for at in held], device)
        report |= accuracy(logits, [items[at] for at in held], range(len(held)))
        packed = np.array([";".join(map(str, each)) for each in tags])
        short = {name: value.astype(np.float16) for name, value in logits.items()}
        np.savez_compressed(asked.out / f"{asked.name}-read.npz", places=np.array(held), tags=packed, **short)
    report["seconds"] = round(time.monotonic() - start, 1)
    print(json.dumps(report), flush=True)  # noqa: T201
    (asked.out / f"{asked.name}.json").write_text(json.dumps(report, indent=1))
    if asked.keep:
        save_layers(reader_weights(model), [asked.out / f"{asked.name}-{at}.npz" for at in (1, 2)])


if __name__ == "__main__":
    main()

"""Fine-tune the closure matcher: what a later message says of an open item.

    PYTHONPATH=src python -m training.closure_matcher --out FOLDER [--fold N] [--keep]

Training starts from the bundled encoder and ends in the mean of the weights of several runs, which differ in the order
of examples and in the items of other cases that a message is compared with. With `--fold` the files of one fold are
read by a model that was trained on the others: `training.calibrate_closure` sets probabilities and thresholds by that.
Without, the model is trained on all files, to ship. `training.closure_sweep` runs all of them.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from recollect.text_models.closure import OUTCOMES, ClosurePair
from training.bert import WIDTH, load_encoder
from training.closure_cases import Case, PairExample, load_cases, pair_examples, with_other_names
from training.closure_quality import measures
from training.layers import BUNDLED, Weights, bundled_weights, save_layers

MAX_FIRST, MAX_SECOND = 72, 96
CLS, SEP, MASK = 101, 102, 103
DRAWS = 3
"""How often items of other cases are drawn anew."""


@dataclass(frozen=True, slots=True)
class Plan:
    epochs: int = 8
    rate: float = 2e-4
    batch: int = 256
    layers: int = 6
    dropout: float = 0.1
    masked: float = 0.08
    joined: float = 0.2
    smoothed: float = 0.05
    others: int = 5
    runs: int = 1
    renamed: int = 0


class Matcher(nn.Module):
    """The encoder over two texts, with a linear head on the first token and the mean of the second text."""

    def __init__(self, weights: Weights, plan: Plan) -> None:
        super().__init__()
        self.body = load_encoder(weights)
        del self.body.encoder["layer"][plan.layers :]
        self.body.embeddings["word_embeddings"].weight.requires_grad = False
        self.heads = nn.ModuleDict({"outcome": nn.Linear(2 * WIDTH, len(OUTCOMES))})
        self.dropout = nn.Dropout(plan.dropout)

    def forward(self, ids: Tensor, mask: Tensor, segments: Tensor) -> Tensor:
        hidden = self.body.hidden(ids, mask, segments).float()
        counted = segments[:, :, None].to(hidden.dtype)
        mean = (hidden * counted).sum(1) / counted.sum(1)
        made: Tensor = self.heads["outcome"](self.dropout(torch.cat([hidden[:, 0], mean], dim=-1)))
        return made


@dataclass(frozen=True, slots=True)
class Row:
    """Token ids of an item and a message, and the outcome; messages can be joined with others of `group`."""

    first: list[int]
    second: list[int]
    label: int
    group: str


def to_rows(pairs: Sequence[PairExample]) -> list[Row]:
    """The pairs as tokens; head and text of a message apart, since both recur and tokens never span a colon."""
    tokenizer = Tokenizer.from_file(str(BUNDLED / "tokenizer.json"))

    @cache
    def ids_of(text: str) -> list[int]:
        ids: list[int] = tokenizer.encode(text, add_special_tokens=False).ids
        return ids

    def told(pair: ClosurePair) -> list[int]:
        return ids_of(pair.told.removesuffix(pair.message.text)) + ids_of(pair.message.text)

    return [
        Row(ids_of(each.pair.item.told)[:MAX_FIRST], told(each.pair)[:MAX_SECOND], each.outcome, each.group)
        for each in pairs
    ]


Batch = tuple[Tensor, Tensor, Tensor]
SpareTexts = Mapping[str, list[list[int]]]


def spare_texts(pairs: Sequence[PairExample]) -> SpareTexts:
    """Messages of each group that say nothing of any item there, as tokens: what else a message may hold."""
    tokenizer = Tokenizer.from_file(str(BUNDLED / "tokenizer.json"))
    silent = {each.message: (each.group, each.pair.message.text) for each in pairs}
    for each in pairs:
        if each.outcome:
            silent.pop(each.message, None)
    found: dict[str, list[list[int]]] = {}
    for group, text in silent.values():
        found.setdefault(group, []).append(tokenizer.encode(text, add_special_tokens=False).ids[:40])
    return found


def to_batch(
    rows: Sequence[Row],
    device: torch.device,
    plan: Plan | None = None,
    random: Random | None = None,
    spare: SpareTexts | None = None,
) -> Batch:
    """Ids, mask and segments; while training some tokens are masked and some messages say more beside."""
    made = []
    for row in rows:
        second = row.second
        if plan is not None and random is not None:
            others = (spare or {}).get(row.group)
            if others and random.random() < plan.joined:
                second = (second + random.choice(others))[:MAX_SECOND]
        made.append(([CLS, *row.first, SEP, *second, SEP], len(row.first) + 2))
    width = max(len(ids) for ids, _ in made)
    ids, mask, segments = (np.zeros((len(made), width), np.int64) for _ in range(3))
    for at, (tokens, start) in enumerate(made):
        ids[at, : len(tokens)] = tokens
        mask[at, : len(tokens)] = 1
        segments[at, start : len(tokens) - 1] = 1
    if plan is not None and random is not None:
        drawn = np.random.default_rng(random.getrandbits(32)).random(ids.shape) < plan.masked
        ids[drawn & (ids > SEP)] = MASK
    a, b, c = (torch.from_numpy(each).to(device) for each in (ids, mask, segments))
    return a, b, c


def _batches(rows: Sequence[Row], size: int, random: Random) -> Iterator[list[Row]]:
    """Batches of similar length in random order."""
    order = sorted(rows, key=lambda row: ((len(row.first) + len(row.second)) // 8, random.random()))
    batches = [order[start : start + size] for start in range(0, len(order), size)]
    random.shuffle(batches)
    yield from batches


def fit(model: Matcher, draws: Sequence[Sequence[Row]], spare: SpareTexts, plan: Plan, seed: int) -> None:
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
            with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
                made = model(*to_batch(batch, device, plan, random, spare))
            loss = functional.cross_entropy(made.float(), labels, label_smoothing=plan.smoothed)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            schedule.step()
    model.eval()


def trained_model(draws: Sequence[Sequence[Row]], spare: SpareTexts, plan: Plan, device: torch.device) -> Matcher:
    """The mean of several runs from the same start."""
    torch.manual_seed(1)
    start = Matcher(bundled_weights(), plan)
    states = []
    for number in range(plan.runs):
        model = copy.deepcopy(start).to(device)
        turned = [*draws[number % len(draws) :], *draws[: number % len(draws)]]
        fit(model, turned, spare, plan, number + 1)
        states.append(model.state_dict())
    start.load_state_dict({name: torch.stack([each[name].cpu() for each in states]).mean(0) for name in states[0]})
    return start.to(device).eval()


@torch.no_grad()
def predict(model: Matcher, rows: Sequence[Row], device: torch.device) -> NDArray[np.float32]:
    """Logits of the outcomes."""
    logits = np.zeros((len(rows), len(OUTCOMES)), np.float32)
    order = sorted(range(len(rows)), key=lambda at: len(rows[at].first) + len(rows[at].second))
    for start in range(0, len(order), 256):
        places = order[start : start + 256]
        logits[places] = model(*to_batch([rows[at] for at in places], device)).float().cpu().numpy()
    return logits


def fold_of(group: str, groups: Sequence[str], folds: int) -> int:
    """The fold of a file; `groups` are all files in order."""
    return groups.index(group) % folds


def main() -> None:
    parser = argparse.ArgumentParser(description="Fine-tune the closure matcher")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--name", default="closure")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--fold", type=int, default=-1, help="which fold to read; without one, train on everything")
    parser.add_argument(
        "--few", type=int, default=0, help="learn from and read so many examples only, to try the script"
    )
    parser.add_argument("--keep", action="store_true", help="save the weights")
    for field, default in asdict(Plan()).items():
        parser.add_argument(f"--{field}", type=type(default), default=default)
    asked = parser.parse_args()
    run(Plan(**{name: getattr(asked, name) for name in asdict(Plan())}), asked)


def _cast(cases: list[Case], plan: Plan, draw: int) -> list[Case]:
    """The cases of a draw: with their own people in the first one, with others in the rest if the plan says so."""
    return with_other_names(cases, draw) if plan.renamed and draw > 1 else cases


def run(plan: Plan, asked: argparse.Namespace) -> None:
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    start = time.monotonic()
    cases = load_cases()
    names = sorted({case.group for case in cases})
    learned = [case for case in cases if fold_of(case.group, names, asked.folds) != asked.fold]
    draws = [pair_examples(_cast(learned, plan, seed), seed, plan.others) for seed in range(1, DRAWS + 1)]
    rows = [to_rows(each[: asked.few or None]) for each in draws]
    model = trained_model(rows, spare_texts(draws[0]), plan, device)
    report: dict[str, object] = {"name": asked.name, "plan": asdict(plan), "fold": asked.fold, "learned": len(rows[0])}
    asked.out.mkdir(parents=True, exist_ok=True)
    if asked.fold >= 0:
        every = pair_examples(cases)
        places = [at for at, each in enumerate(every) if fold_of(each.group, names, asked.folds) == asked.fold]
        places = places[: asked.few or None]
        logits = predict(model, to_rows([every[at] for at in places]), device)
        report |= measures(logits, np.array([every[at].outcome for at in places]))
        np.savez_compressed(asked.out / f"{asked.name}-read.npz", places=np.array(places), logits=logits)
    report["seconds"] = round(time.monotonic() - start, 1)
    print(json.dumps(report), flush=True)  # noqa: T201
    (asked.out / f"{asked.name}.json").write_text(json.dumps(report, indent=1))
    if asked.keep:
        state = {name.removeprefix("body."): value.float().cpu().numpy() for name, value in model.state_dict().items()}
        save_layers(state, [asked.out / f"{asked.name}-{at}.npz" for at in (1, 2)])


if __name__ == "__main__":
    main()

"""Fine-tune the stock encoder on the training corpus.

    python -m training.encoder --out FOLDER [--epochs 20] [--rate 3e-5] [--anchor 2] [--seed 1] [--hold-out 8]

A step takes a few worlds. Every query is compared with all passages of these worlds, as search would, so each world
brings its own hard negatives; the loss is the cross entropy of the evidence. Invented articles and memories inside
long talks, drawn anew for every step, are searched in the same way. So are banks of memories, each by itself: their
questions must come nearer to the memory that answers them than `floor`, and those that nothing answers must stay below
it with every memory, so that one cosine tells an answer from none. A further term keeps the vectors of general English
near those of the model it starts from.
The word table stays as it is, so the file has the same size. The same command runs on a CPU, slowly. Needs `torch`,
`numpy`, `tokenizers`, `onnx`, and the stock layers that `python -m training.stock_weights` writes.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

import numpy as np
import torch
from torch import Tensor

from training.articles import article_pool
from training.bert import encoder_weights, load_encoder
from training.corpus import WORLDS, World, load_worlds, split_held_out
from training.dense_quality import measure_banks, measure_pools, measure_worlds, read_pools
from training.general_text import general_texts
from training.layers import STOCK, WORDS, Weights, blend, load_layers, save_layers
from training.memories import BankPool, MemoryBank, bank_pool, load_banks
from training.pairs import Pool, Query, build_pool
from training.talks import assistant_turns, talk_pool
from training.text_batches import TextBatches


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that decides the result."""

    epochs: int = 20
    rate: float = 3e-5
    anchor: float = 2.0
    scale: float = 20.0
    worlds_per_step: int = 4
    queries_per_world: int = 96
    anchor_texts: int = 256
    anchor_passages: int = 0
    articles: int = 1
    banks_per_step: int = 8
    talks_per_step: int = 0
    questions_per_bank: int = 48
    bank_weight: float = 1.0
    floor: float = 0.3
    warm_up: float = 0.1
    seed: int = 1


def contrastive_loss(queries: Tensor, passages: Tensor, gold: Sequence[Sequence[int]], scale: float) -> Tensor:
    """Cross entropy of each gold passage against all that are not gold for the query."""
    scores = scale * queries @ passages.T
    is_gold = torch.zeros_like(scores, dtype=torch.bool)
    for row, places in enumerate(gold):
        is_gold[row, list(places)] = True
    others = scores.masked_fill(is_gold, -torch.inf).logsumexp(1, keepdim=True)
    losses = torch.logaddexp(scores, others) - scores
    return ((losses * is_gold).sum(1) / is_gold.sum(1)).mean()


def memory_loss(questions: Tensor, passages: Tensor, pool: BankPool, plan: Plan) -> Tensor:
    """Cross entropy of each answer, or of none, against the memories of the bank and a made-up one at the floor."""
    scores = questions @ passages.T
    asked = torch.tensor([each.bank for each in pool.questions], device=scores.device)
    holds = torch.tensor(pool.banks, device=scores.device)
    scores = scores.masked_fill(asked[:, None] != holds[None, :], -torch.inf)
    none = torch.full_like(scores[:, :1], plan.floor)
    gold = torch.tensor([0 if each.gold is None else each.gold + 1 for each in pool.questions], device=scores.device)
    return torch.nn.functional.cross_entropy(plan.scale * torch.cat([none, scores], 1), gold)


def merge_pools(pools: Sequence[Pool], most: int, random: Random) -> Pool:
    """Several worlds as one pool, with at most so many queries of each."""
    passages: list[str] = []
    queries: list[Query] = []
    for pool in pools:
        first = len(passages)
        passages += pool.passages
        chosen = random.sample(pool.queries, min(most, len(pool.queries)))
        queries += [Query(each.text, tuple(first + at for at in each.gold), each.kind) for each in chosen]
    return Pool(tuple(passages), tuple(queries))


def train(
    worlds: Sequence[World], banks: Sequence[MemoryBank], plan: Plan, stock: Weights, device: torch.device
) -> Weights:
    """The weights after fine-tuning; the same plan gives the same weights on the same machine."""
    torch.manual_seed(plan.seed)
    random = Random(plan.seed)
    texts = TextBatches(device)
    encoder, teacher = load_encoder(stock).to(device), load_encoder(stock).to(device).eval()
    encoder.embeddings["word_embeddings"].weight.requires_grad = False
    trained = [each for each in encoder.parameters() if each.requires_grad]
    optimiser = torch.optim.AdamW(trained, lr=plan.rate, weight_decay=0.01)
    steps = plan.epochs * -(-len(worlds) // plan.worlds_per_step)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda at: _rate_share(at, steps, plan.warm_up))
    words = sorted(texts.tokenizer.get_vocab())
    general = general_texts(words, plan.anchor_texts * min(steps, 200), plan.seed)
    talks = assistant_turns(worlds)
    for at, batch in enumerate(_world_batches(worlds, plan, random)):
        articles = [article_pool(random) for _ in range(plan.articles)]
        drawn = [*(build_pool(world, random) for world in batch), *articles]
        drawn += [talk_pool(each, talks, random) for each in random.sample(banks, min(plan.talks_per_step, len(banks)))]
        pool = merge_pools(drawn, plan.queries_per_world, random)
        passages = texts.vectors(encoder, pool.passages)
        queries = texts.vectors(encoder, [each.text for each in pool.queries])
        loss = contrastive_loss(queries, passages, [each.gold for each in pool.queries], plan.scale)
        if banks:
            drawn_banks = random.sample(banks, min(plan.banks_per_step, len(banks)))
            memories = bank_pool(drawn_banks, random, plan.questions_per_bank)
            asked = texts.vectors(encoder, [each.text for each in memories.questions])
            told = texts.vectors(encoder, memories.passages)
            loss = loss + plan.bank_weight * memory_loss(asked, told, memories, plan)
        first = at * plan.anchor_texts % len(general)
        anchors = [*general[first : first + plan.anchor_texts], *_pool_texts(articles, plan.anchor_texts, random)]
        anchors += _pool_texts([pool], plan.anchor_passages, random)
        with torch.no_grad():
            wanted = texts.vectors(teacher, anchors)
        drift = (1 - (texts.vectors(encoder, anchors) * wanted).sum(1)).mean()
        optimiser.zero_grad()
        (loss + plan.anchor * drift).backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimiser.step()
        schedule.step()
        if at % 20 == 0 or at == steps - 1:
            print(f"step {at + 1}/{steps} loss {loss.item():.3f} drift {drift.item():.4f}", flush=True)  # noqa: T201
    return encoder_weights(encoder)


def _pool_texts(pools: Sequence[Pool], most: int, random: Random) -> list[str]:
    texts = [text for pool in pools for text in (*pool.passages, *(query.text for query in pool.queries))]
    return random.sample(texts, min(most, len(texts)))


def _rate_share(step: int, steps: int, warm_up: float) -> float:
    """Linear warm-up, then linear decay to nothing."""
    first = max(1, int(steps * warm_up))
    return (step + 1) / first if step < first else max(0.0, (steps - step) / max(1, steps - first))


def _world_batches(worlds: Sequence[World], plan: Plan, random: Random) -> Iterator[list[World]]:
    for _ in range(plan.epochs):
        order = random.sample(worlds, len(worlds))
        for start in range(0, len(order), plan.worlds_per_step):
            yield order[start : start + plan.worlds_per_step]


@dataclass(frozen=True, slots=True)
class Trial:
    """Where training starts, where the worlds are, which are kept for measuring, and what else to measure with."""

    start: Sequence[Path]
    worlds: Path
    hold_out: int
    hold_out_banks: int
    shares: Sequence[float]
    files: Sequence[Path]


def run(plan: Plan, trial: Trial, out: Path, name: str) -> dict[str, object]:
    """Train, measure at several blends with the stock model, and save the layers."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    learned, held = split_held_out(load_worlds(trial.worlds), trial.hold_out)
    banks, asked = split_held_out(load_banks(), trial.hold_out_banks)
    stock = load_layers(trial.start)
    start = time.monotonic()
    weights = train(learned, banks, plan, stock, device)
    report: dict[str, object] = {
        "name": name,
        "plan": asdict(plan),
        "worlds": len(learned),
        "banks": len(banks),
        "device": device.type,
    }
    report["seconds"] = round(time.monotonic() - start, 1)
    report["held_out"] = [world.name for world in held]
    blends = {share: blend(stock, weights, share) for share in trial.shares}
    report["measured"] = {share: measure(each, (held, asked), trial.files, device) for share, each in blends.items()}
    save_layers(weights, [out / f"{name}-1.npz", out / f"{name}-2.npz"])
    assert np.array_equal(weights[WORDS], stock[WORDS])
    return report


def measure(
    weights: Weights,
    held: tuple[Sequence[World], Sequence[MemoryBank]],
    files: Sequence[Path],
    device: torch.device,
) -> dict[str, dict[str, float]]:
    """Recall and MRR on the worlds and banks that were kept for measuring and on evaluation files."""
    texts = TextBatches(device)
    worlds, banks = held
    measured = {path.stem: measure_pools(weights, read_pools(path), texts) for path in files}
    if banks:
        measured = {"banks": measure_banks(weights, banks, texts)} | measured
    return ({"worlds": measure_worlds(weights, worlds, texts)} if worlds else {}) | measured


def main() -> None:
    parser = argparse.ArgumentParser(description="Fine-tune the stock encoder on the training corpus")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--name", default="encoder")
    parser.add_argument("--folder", type=Path, default=WORLDS, help="the worlds to train on")
    parser.add_argument("--start", type=Path, nargs="*", default=[STOCK], help="layers to start from and to stay near")
    parser.add_argument("--hold-out", type=int, default=0, help="how many worlds to measure with instead of training")
    parser.add_argument("--hold-out-banks", type=int, default=0, help="as --hold-out, for banks of memories")
    parser.add_argument("--shares", type=float, nargs="*", default=[0.0, 0.5, 0.75, 1.0], help="blends to measure")
    parser.add_argument("--files", type=Path, nargs="*", default=[], help="evaluation files to measure with")
    for field, default in asdict(Plan()).items():
        parser.add_argument(f"--{field.replace('_', '-')}", type=type(default), default=default)
    asked = parser.parse_args()
    plan = Plan(**{name: getattr(asked, name) for name in asdict(Plan())})
    report = run(
        plan,
        Trial(asked.start, asked.folder, asked.hold_out, asked.hold_out_banks, asked.shares, asked.files),
        asked.out,
        asked.name,
    )
    (asked.out / f"{asked.name}.json").write_text(json.dumps(report, indent=1))
    print(json.dumps(report))  # noqa: T201


if __name__ == "__main__":
    main()

"""Train a cross-encoder over the best hits of the search, and measure what it adds to them.

    PYTHONPATH=src python -m training.reranker FOLDER --measure locomo.json.xz … --out OUT [--layers 6] [--depth 20]

FOLDER holds what `training.candidates` wrote for worlds of the corpus. Questions about the worlds in `--held` are not
trained on: half of them choose how much the cross-encoder counts beside the first stage, the other half measures it,
as do the files of `--measure`. A list of a query's evidence and hard negatives from the search is ordered by softmax.
With `--mined` every question, statement and true claim of the other worlds is trained on as well, with the passages
of three worlds nearest to it by cosine as negatives.
"""

from __future__ import annotations

import argparse
import json
import lzma
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from recollect.embed.local import load_tokenizer
from training.bert import WIDTH, load_encoder
from training.corpus import World, load_worlds
from training.layers import BUNDLED, Weights, bundled_weights, save_layers
from training.pairs import author_names, without_names
from training.text_batches import TextBatches

CLS, SEP = 101, 102
NEGATIVE_DEPTH = 40
WEIGHTS = (0.0, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)


@dataclass(frozen=True, slots=True)
class Plan:
    layers: int = 6
    epochs: int = 4
    rate: float = 5e-5
    lists: int = 24
    negatives: int = 15
    query_tokens: int = 40
    before_tokens: int = 24
    text_tokens: int = 80
    seed: int = 1


class CrossEncoder(nn.Module):
    """One score for a query and a passage read together."""

    def __init__(self, weights: Weights, layers: int) -> None:
        super().__init__()
        self.body = load_encoder(weights)
        del self.body.encoder["layer"][layers:]
        self.body.embeddings["word_embeddings"].weight.requires_grad = False
        self.score = nn.Linear(2 * WIDTH, 1)

    def forward(self, ids: Tensor, mask: Tensor, segments: Tensor) -> Tensor:
        hidden = self.body.hidden(ids, mask, segments).float()
        counted = mask[:, :, None].to(hidden.dtype)
        mean = (hidden * counted).sum(1) / counted.sum(1)
        made: Tensor = self.score(torch.cat([hidden[:, 0], mean], dim=-1))[:, 0]
        return made


@dataclass(frozen=True, slots=True)
class Listing:
    """A query and its hits: places of passages, scores of the first stage, and which are gold."""

    query: list[int]
    hits: list[int]
    first: NDArray[np.float32]
    is_gold: NDArray[np.bool_]
    gold: int
    world: str


@dataclass(frozen=True, slots=True)
class Material:
    passages: list[list[int]]
    lists: list[Listing]


def load_material(path: Path, plan: Plan) -> Material:
    stored: dict[str, Any] = json.loads(lzma.decompress(path.read_bytes()))
    tokenizer = load_tokenizer(BUNDLED, longest=None)

    def tokens(texts: Sequence[str]) -> list[list[int]]:
        return [each.ids for each in tokenizer.encode_batch(list(texts), add_special_tokens=False)]

    befores = tokens([each["before"] or "" for each in stored["passages"]])
    texts = tokens([_shown(each) for each in stored["passages"]])
    passages = [_joined(before, text, plan) for before, text in zip(befores, texts, strict=True)]
    queries = tokens([each["text"] for each in stored["queries"]])
    lists = [
        Listing(
            query[: plan.query_tokens],
            [hit[0] for hit in each["hits"]],
            np.array([hit[1] for hit in each["hits"]], np.float32),
            np.array([hit[2] for hit in each["hits"]], bool),
            each["gold"],
            each["id"].split("/")[0],
        )
        for each, query in zip(stored["queries"], queries, strict=True)
        if each["hits"]
    ]
    return Material(passages, lists)


def mine_lists(worlds: Sequence[World], plan: Plan, device: torch.device) -> Iterator[Material]:
    """Lists of queries about worlds, three at a time, with what the bundled encoder finds for them."""
    texts = TextBatches(device)
    tokenizer = load_tokenizer(BUNDLED, longest=None)
    encoder = load_encoder(bundled_weights()).to(device).eval()
    for start in range(0, len(worlds), 3):
        pool = worlds[start : start + 3]
        shown = {f"{world.name}/{key}": each for world in pool for key, each in _world_passages(world).items()}
        keys = {key: at for at, key in enumerate(shown)}
        asked = [
            (text, [keys[f"{world.name}/{each}"] for each in gold], world)
            for world in pool
            for text, gold in _asked(world)
        ]
        with torch.no_grad():
            passages = texts.vectors(encoder, [each[1] for each in shown.values()])
            short = [without_names(text, author_names(world)) for text, _, world in asked]
            near = (texts.vectors(encoder, short) @ passages.T).topk(min(NEGATIVE_DEPTH, len(keys))).indices.tolist()
        before = [
            each.ids for each in tokenizer.encode_batch([each[0] for each in shown.values()], add_special_tokens=False)
        ]
        words = [
            each.ids for each in tokenizer.encode_batch([each[1] for each in shown.values()], add_special_tokens=False)
        ]
        queries = [
            each.ids for each in tokenizer.encode_batch([text for text, _, _ in asked], add_special_tokens=False)
        ]
        lists = []
        for query, (_, gold, world), found in zip(queries, asked, near, strict=True):
            hits = [*dict.fromkeys([*gold, *found])]
            is_gold = np.array([at in set(gold) for at in hits])
            lists.append(
                Listing(
                    query[: plan.query_tokens], hits, np.zeros(len(hits), np.float32), is_gold, len(gold), world.name
                )
            )
        yield Material([_joined(one, other, plan) for one, other in zip(before, words, strict=True)], lists)


def _joined(before: list[int], text: list[int], plan: Plan) -> list[int]:
    kept = text[: plan.text_tokens]
    return [*before[-plan.before_tokens :], SEP, *kept] if before and plan.before_tokens else kept


def _world_passages(world: World) -> dict[str, tuple[str, str]]:
    """Every unit of a world with what was said before it in the same conversation."""
    found = {}
    for doc in world.docs:
        before = ""
        for unit in doc.units:
            head = unit.speaker or doc.author or doc.title
            shown = f"{head}: {unit.text}" if head else unit.text
            found[unit.id] = (before, shown)
            before = shown if unit.speaker else ""
    return found


def _asked(world: World) -> Iterator[tuple[str, Sequence[str]]]:
    yield from ((each.text, each.evidence) for each in world.questions)
    yield from ((each.text, each.evidence) for each in world.statements)
    yield from ((each.text, each.evidence) for each in world.claims if each.verdict == "supports")


def _shown(passage: dict[str, Any]) -> str:
    head = passage["author"] or passage["title"]
    return f"{head}: {passage['text']}" if head else str(passage["text"])


def to_batch(pairs: Sequence[tuple[list[int], list[int]]], device: torch.device) -> tuple[Tensor, Tensor, Tensor]:
    width = max(len(query) + len(passage) for query, passage in pairs) + 3
    ids, mask, segments = (np.zeros((len(pairs), width), np.int64) for _ in range(3))
    for at, (query, passage) in enumerate(pairs):
        tokens = [CLS, *query, SEP, *passage, SEP]
        ids[at, : len(tokens)], mask[at, : len(tokens)] = tokens, 1
        segments[at, len(query) + 2 : len(tokens)] = 1
    return tuple(torch.from_numpy(each).to(device) for each in (ids, mask, segments))  # type: ignore[return-value]


def train(materials: Sequence[Material], plan: Plan, stock: Weights, device: torch.device) -> CrossEncoder:
    torch.manual_seed(plan.seed)
    random = Random(plan.seed)
    model = CrossEncoder(stock, plan.layers).to(device).train()
    trained = [each for each in model.parameters() if each.requires_grad]
    optimiser = torch.optim.AdamW(trained, lr=plan.rate, weight_decay=0.01)
    usable = [(material, each) for material in materials for each in material.lists if each.is_gold.any()]
    steps = plan.epochs * (len(usable) // plan.lists)
    warm = max(1, steps // 10)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda at: min((at + 1) / warm, (steps - at) / max(1, steps - warm))
    )
    for _ in range(plan.epochs):
        random.shuffle(usable)
        for start in range(0, len(usable) - plan.lists + 1, plan.lists):
            pairs: list[tuple[list[int], list[int]]] = []
            for material, each in usable[start : start + plan.lists]:
                gold = random.choice(np.flatnonzero(each.is_gold).tolist())
                others = np.flatnonzero(~each.is_gold).tolist()
                chosen = random.sample(others, min(plan.negatives, len(others)))
                chosen += random.choices(others, k=plan.negatives - len(chosen))
                pairs += [(each.query, material.passages[each.hits[at]]) for at in (gold, *chosen)]
            with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
                scores = model(*to_batch(pairs, device))
            rows = scores.float().view(-1, plan.negatives + 1)
            loss = functional.cross_entropy(rows, torch.zeros(len(rows), dtype=torch.long, device=device))
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(trained, 1.0)
            optimiser.step()
            schedule.step()
    return model.eval()


@torch.no_grad()
def score(model: CrossEncoder, material: Material, device: torch.device) -> list[NDArray[np.float32]]:
    pairs = [(each.query, material.passages[at]) for each in material.lists for at in each.hits]
    order = sorted(range(len(pairs)), key=lambda at: len(pairs[at][0]) + len(pairs[at][1]))
    scores = np.zeros(len(pairs), np.float32)
    for start in range(0, len(order), 2048):
        places = order[start : start + 2048]
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            scores[places] = model(*to_batch([pairs[at] for at in places], device)).float().cpu().numpy()
    ends = np.cumsum([len(each.hits) for each in material.lists])
    return np.split(scores, ends[:-1])


def quality(material: Material, scores: Sequence[NDArray[np.float32]], depth: int, weight: float) -> dict[str, float]:
    """Recall and MRR when the first `depth` hits are ordered by both scores, each scaled over the hits."""
    found = []
    for each, made in zip(material.lists, scores, strict=True):
        mixed = _scaled(each.first[:depth]) + weight * _scaled(made[:depth])
        order = np.argsort(-mixed.round(5), kind="stable")
        order = np.concatenate([order, np.arange(len(order), len(each.hits))])
        places = np.flatnonzero(each.is_gold[order])
        recalls = [(places < at).sum() / each.gold for at in (1, 5, 10)]
        found.append((*recalls, 1 / (places[0] + 1) if len(places) else 0.0))
    means = 100 * np.array(found).mean(axis=0)
    return dict(zip(("recall@1", "recall@5", "recall@10", "mrr"), means.round(2).tolist(), strict=True)) | {
        "n": len(found)
    }


def _scaled(values: NDArray[np.float32]) -> NDArray[np.float32]:
    scaled: NDArray[np.float32] = (values - values.mean()) / (values.std() + 1e-6)
    return scaled


def split(material: Material, held: frozenset[str]) -> tuple[Material, Material]:
    inside = [each for each in material.lists if each.world in held]
    rest = [each for each in material.lists if each.world not in held]
    return Material(material.passages, rest), Material(material.passages, inside)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train and measure a cross-encoder over the hits of the search")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--measure", type=Path, nargs="*", default=[])
    parser.add_argument("--held", type=Path, required=True, help="file of the names of worlds that are not trained on")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--name", default="reranker")
    parser.add_argument("--depths", type=int, nargs="*", default=[20, 40])
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--mined", action="store_true")
    for field, default in asdict(Plan()).items():
        parser.add_argument(f"--{field.replace('_', '-')}", type=type(default), default=default)
    asked = parser.parse_args()
    plan = Plan(**{name: getattr(asked, name) for name in asdict(Plan())})
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    held = asked.held.read_text().split()
    start = time.monotonic()
    tuned, tested = frozenset(held[::2]), frozenset(held[1::2])
    train_on, tests = [], {}
    for path in sorted(asked.folder.glob("*.json.xz")):
        rest, inside = split(load_material(path, plan), tuned | tested)
        train_on.append(rest)
        name = path.name.split(".")[0]
        outside, tests[f"{name}-tuning"] = split(inside, tuned)
        tests[f"{name}-test"] = outside
    tests |= {path.name.split(".")[0]: load_material(path, plan) for path in asked.measure}
    if asked.mined:
        free = [world for world in load_worlds() if world.name not in tuned | tested]
        train_on += mine_lists(free, plan, device)
    model = train(train_on, plan, bundled_weights(), device)
    report: dict[str, Any] = {
        "name": asked.name,
        "plan": asdict(plan),
        "lists": sum(len(each.lists) for each in train_on),
    }
    for name, material in tests.items():
        scores = score(model, material, device)
        for depth in asked.depths:
            report[f"{name}@{depth}"] = {str(weight): quality(material, scores, depth, weight) for weight in WEIGHTS}
    report["seconds"] = round(time.monotonic() - start, 1)
    if asked.keep:
        state = {key.removeprefix("body."): value.float().cpu().numpy() for key, value in model.state_dict().items()}
        save_layers(state, [asked.out / f"{asked.name}-{at}.npz" for at in (1, 2)])
    (asked.out / f"{asked.name}.json").write_text(json.dumps(report, indent=1))
    print(json.dumps({"name": asked.name, "seconds": report["seconds"]}), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()

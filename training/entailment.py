"""Fine-tune the entailment model: whether a piece of evidence supports a claim, refutes it, or does neither.

    PYTHONPATH=src python -m training.entailment --out FOLDER [--fold N] [--keep] [--measure FEVER.jsonl …]

Training starts from the first layers of a published cross-encoder (`python -m training.stock_weights`), or from
`--start LAYERS.npz …`, and ends in the mean of the weights of several runs. With `--fold` the pairs of one fold of
writers are read by a model that was trained on the others, for `training.calibrate_entailment`; without, the model is
trained on all of them, to ship. `--measure` reads files of claims that are never trained on.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

import numpy as np
import torch
from numpy.typing import NDArray

from recollect.embed.local import load_tokenizer
from recollect.text_models.entailment import VERDICTS
from recollect.text_models.pair_model import MAX_CLAIM, MAX_EVIDENCE
from training.claims import (
    CLAIMS,
    ClaimPair,
    load_claims,
    names_in,
    of_namesakes,
    renamed,
    unrelated,
    varied,
    world_claims,
)
from training.corpus import load_worlds
from training.layers import BUNDLED, CROSS_ENCODER, load_layers, save_layers
from training.pair_classifier import PairClassifier, PairPlan, Row, only, predict, similar_batches, trained_mean

DRAWS = 6
"""How often the pairs are varied anew."""
HEAD = "verdict"


@dataclass(frozen=True, slots=True)
class Plan(PairPlan):
    epochs: int = 20
    rate: float = 1.5e-4
    batch: int = 256
    layers: int = 8
    levels: int = 7
    worlds: int = 0
    """Whether the claims of the worlds are learned from too."""
    renamed: float = 0.6
    """How many pairs are learned with other names."""
    unrelated: float = 0.15
    """Pairs of claims and evidence of other blocks, as a share of all."""
    namesakes: float = 0.05
    """Claims of somebody with a similar name, as a share of all."""


def to_rows(pairs: Sequence[ClaimPair]) -> list[Row]:
    tokenizer = load_tokenizer(BUNDLED, longest=None)
    evidence = tokenizer.encode_batch([each.evidence for each in pairs], add_special_tokens=False)
    claims = tokenizer.encode_batch([each.claim for each in pairs], add_special_tokens=False)
    return [
        Row(
            one.ids[:MAX_EVIDENCE],
            other.ids[:MAX_CLAIM],
            only(VERDICTS.index(pair.verdict), len(VERDICTS)),
            HEAD,
            pair.group,
        )
        for pair, one, other in zip(pairs, evidence, claims, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class ClaimLessons:
    """One draw of the pairs an epoch; each run begins with another."""

    draws: list[list[Row]]
    batch: int

    def batches(self, run: int, epoch: int, random: Random) -> list[list[Row]]:
        found = list(similar_batches(self.draws[(run + epoch - 1) % len(self.draws)], self.batch, random))
        random.shuffle(found)
        return found


def as_it_is(row: Row, _: Random) -> Row:
    return row


def drawn_rows(pairs: Sequence[ClaimPair], plan: Plan) -> list[list[Row]]:
    """The pairs in several forms, each with other unrelated pairs."""
    draws = []
    names = sorted({name for pair in pairs for name in names_in(pair.evidence)})
    for seed in range(1, DRAWS + 1):
        random = Random(seed)
        cast = [renamed(pair, random, names) if random.random() < plan.renamed else pair for pair in pairs]
        forms = [varied(pair, random, cast) for pair in cast]
        forms += of_namesakes(forms, int(plan.namesakes * len(forms)), names, seed)
        draws.append(to_rows(forms + unrelated(forms, int(plan.unrelated * len(forms)), seed)))
    return draws


def fold_pairs(pairs: Sequence[ClaimPair], fold: int, folds: int) -> tuple[list[ClaimPair], list[ClaimPair]]:
    """What is learned from and what is read: writers and worlds stay together."""
    groups = sorted({pair.group for pair in pairs})
    held = {group for at, group in enumerate(groups) if at % folds == fold}
    return [each for each in pairs if each.group not in held], [each for each in pairs if each.group in held]


def load_measured(path: Path) -> list[ClaimPair]:
    """Claims of an evaluation set, one JSON object a line."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [ClaimPair(row["claim"], row["evidence"], row["gold_label"].lower(), path.stem) for row in rows]


def decided_within(logits: NDArray[np.float32], labels: NDArray[np.int64], wrong: float) -> float:
    """The largest share of pairs that can be decided with at most that share of wrong verdicts among them."""
    shares = np.exp(logits - logits.max(1, keepdims=True))
    shares /= shares.sum(1, keepdims=True)
    sure = shares[:, :2].max(1)
    right = shares[:, :2].argmax(1) == labels
    order = np.argsort(-sure)
    misses = np.cumsum(~right[order]) / np.arange(1, len(order) + 1)
    fitting = np.nonzero(misses <= wrong)[0]
    return float(fitting[-1] + 1) / len(order) if len(fitting) else 0.0


def quality(logits: NDArray[np.float32], rows: Sequence[Row]) -> dict[str, float]:
    labels = np.array([row.label for row in rows])
    binary = logits[:, :2].argmax(1)[labels < 2] == labels[labels < 2]
    return {
        "pairs": len(rows),
        "accuracy": round(float((logits.argmax(1) == labels).mean()), 4),
        "supports_or_refutes": round(float(binary.mean()), 4),
        **{f"decided_{wrong:.2f}": round(decided_within(logits, labels, wrong), 4) for wrong in (0.05, 0.08, 0.1)},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Fine-tune the entailment model")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--name", default="entailment")
    parser.add_argument("--claims", type=Path, default=CLAIMS)
    parser.add_argument("--start", type=Path, nargs="*", default=[CROSS_ENCODER])
    parser.add_argument("--folds", type=int, default=4)
    parser.add_argument("--fold", type=int, default=-1, help="which fold to read; without one, train on everything")
    parser.add_argument("--measure", type=Path, nargs="*", default=[])
    parser.add_argument("--few", type=int, default=0, help="learn from so many pairs only, to try the script")
    parser.add_argument("--keep", action="store_true", help="save the weights")
    for field, default in asdict(Plan()).items():
        parser.add_argument(f"--{field}", type=type(default), default=default)
    asked = parser.parse_args()
    run(Plan(**{name: getattr(asked, name) for name in asdict(Plan())}), asked)


def run(plan: Plan, asked: argparse.Namespace) -> None:
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    begun = time.monotonic()
    pairs = load_claims(asked.claims) + (list(world_claims(load_worlds())) if plan.worlds else [])
    learned, held = fold_pairs(pairs, asked.fold, asked.folds)
    learned = learned[: asked.few or None]
    torch.manual_seed(1)
    start = PairClassifier(load_layers(asked.start), plan, {HEAD: len(VERDICTS)})
    lessons = ClaimLessons(drawn_rows(learned, plan), plan.batch)
    model = trained_mean(start, lessons, plan, device, as_it_is)
    report: dict[str, object] = {"name": asked.name, "plan": asdict(plan), "fold": asked.fold, "learned": len(learned)}
    asked.out.mkdir(parents=True, exist_ok=True)
    if held:
        rows = to_rows(held[: asked.few or None])
        logits = predict(model, rows, device)
        report["held_out"] = quality(logits, rows)
        labels = np.array([row.label for row in rows])
        np.savez_compressed(asked.out / f"{asked.name}-read.npz", logits=logits, labels=labels)
    for path in asked.measure:
        rows = to_rows(load_measured(path))
        logits = predict(model, rows, device)
        report[path.stem] = quality(logits, rows)
        np.savez_compressed(asked.out / f"{asked.name}-{path.stem}.npz", logits=logits)
    report["seconds"] = round(time.monotonic() - begun, 1)
    print(json.dumps(report), flush=True)  # noqa: T201
    (asked.out / f"{asked.name}.json").write_text(json.dumps(report, indent=1))
    if asked.keep:
        state = {name.removeprefix("body."): value.float().cpu().numpy() for name, value in model.state_dict().items()}
        save_layers(state, [asked.out / f"{asked.name}-{at}.npz" for at in (1, 2)])


if __name__ == "__main__":
    main()

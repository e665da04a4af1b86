"""Fine-tune the closure matcher: what a later message says of an open item.

    PYTHONPATH=src python -m training.closure_matcher --out FOLDER [--fold N] [--keep]

Training starts from the bundled encoder and ends in the mean of the weights of several runs, which differ in the order
of examples and in the items of other cases that a message is compared with. With `--fold` the files of one fold are
read by a model that was trained on the others: `training.calibrate_closure` sets probabilities and thresholds by that.
Without, the model is trained on all files, to ship. `training.closure_sweep` runs all of them.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import torch
from tokenizers import Tokenizer

from recollect.text_models.closure import OUTCOMES, ClosurePair
from training.closure_cases import Case, PairExample, load_cases, pair_examples, with_other_names
from training.closure_quality import measures
from training.layers import BUNDLED, bundled_weights, save_layers
from training.pair_classifier import PairClassifier, PairPlan, Row, Vary, predict, trained_mean

MAX_FIRST, MAX_SECOND = 72, 96
DRAWS = 3
"""How often items of other cases are drawn anew."""


@dataclass(frozen=True, slots=True)
class Plan(PairPlan):
    joined: float = 0.2
    others: int = 5
    renamed: int = 0


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


def with_more_text(spare: SpareTexts, joined: float) -> Vary:
    """Messages that now and then say more beside what is labelled."""

    def vary(row: Row, random: Random) -> Row:
        others = spare.get(row.group)
        if not others or random.random() >= joined:
            return row
        return replace(row, second=(row.second + random.choice(others))[:MAX_SECOND])

    return vary


def trained_model(
    draws: Sequence[Sequence[Row]], spare: SpareTexts, plan: Plan, device: torch.device
) -> PairClassifier:
    """The mean of several runs from the bundled encoder."""
    torch.manual_seed(1)
    start = PairClassifier(bundled_weights(), plan, "outcome", len(OUTCOMES))
    return trained_mean(start, draws, plan, device, with_more_text(spare, plan.joined))


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

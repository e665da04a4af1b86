"""How well the closure matcher finds closed items: precision and recall over pairs of held-out files."""

import numpy as np
from numpy.typing import NDArray

from recollect.text_models.closure import OUTCOMES

CLOSING = (OUTCOMES.index("done"), OUTCOMES.index("cancelled"))
PRECISIONS = (0.95, 0.93, 0.9, 0.85, 0.8)


def outcome_shares(logits: NDArray[np.float32], temperature: float = 1.0) -> NDArray[np.float32]:
    """The probability of each outcome."""
    powers = np.exp((logits - logits.max(axis=1, keepdims=True)) / temperature)
    shares: NDArray[np.float32] = powers / powers.sum(axis=1, keepdims=True)
    return shares


def closing_shares(logits: NDArray[np.float32], temperature: float = 1.0) -> NDArray[np.float32]:
    """The probability that an item is closed: done or cancelled."""
    made: NDArray[np.float32] = outcome_shares(logits, temperature)[:, CLOSING].sum(axis=1)
    return made


def measures(logits: NDArray[np.float32], truth: NDArray[np.int64]) -> dict[str, float]:
    """How many of the closed items are found at several precisions, and the mean precision over all of them."""
    score, is_closed = closing_shares(logits), np.isin(truth, CLOSING)
    order = np.argsort(-score, kind="stable")
    right = np.cumsum(is_closed[order])
    precision = right / np.arange(1, len(order) + 1)
    found = {"accuracy": float((logits.argmax(1) == truth).mean()), "closed": int(is_closed.sum()), "pairs": len(truth)}
    for wanted in PRECISIONS:
        reached = np.flatnonzero(precision >= wanted)
        found[f"recall@p{wanted}"] = float(right[reached[-1]] / is_closed.sum()) if len(reached) else 0.0
    found["mean_precision"] = float((precision * is_closed[order]).sum() / is_closed.sum())
    return {name: round(value, 4) for name, value in found.items()}

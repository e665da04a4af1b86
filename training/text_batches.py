"""Texts through an encoder in batches of similar length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from torch import Tensor

from recollect.embed.local import load_tokenizer
from training.bert import Encoder
from training.layers import BUNDLED

TOKENS_PER_CALL = 32_768


class TextBatches:
    """The tokenizer of the bundled model and the device to compute on."""

    def __init__(self, device: torch.device) -> None:
        self.tokenizer = load_tokenizer(BUNDLED)
        self.device = device

    def vectors(self, encoder: Encoder, texts: Sequence[str]) -> Tensor:
        """One row per text, in the order given; keeps the gradient."""
        encoded = [each.ids for each in self.tokenizer.encode_batch(list(texts))]
        rows, places = [], []
        for batch in batches(encoded):
            rows.append(self._rows(encoder, [encoded[at] for at in batch]))
            places += batch
        order = torch.empty(len(places), dtype=torch.long, device=self.device)
        order[torch.tensor(places, device=self.device)] = torch.arange(len(places), device=self.device)
        return torch.cat(rows)[order]

    def _rows(self, encoder: Encoder, encoded: Sequence[Sequence[int]]) -> Tensor:
        ids = np.zeros((len(encoded), max(map(len, encoded))), np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(encoded):
            ids[row, : len(tokens)], mask[row, : len(tokens)] = tokens, 1
        on = self.device
        with torch.autocast(on.type, torch.bfloat16, enabled=on.type == "cuda"):
            made: Tensor = encoder(torch.from_numpy(ids).to(on), torch.from_numpy(mask).to(on))
        return made.float()


def batches(encoded: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Positions grouped by length, each group limited in padded tokens."""
    batch: list[int] = []
    for at in sorted(range(len(encoded)), key=lambda at: len(encoded[at])):
        if batch and len(encoded[at]) * (len(batch) + 1) > TOKENS_PER_CALL:
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch

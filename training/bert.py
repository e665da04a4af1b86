"""The MiniLM encoder in PyTorch: published weights in, unit vectors out, weights back for the ONNX builder."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from training.layers import PLACES, WORDS, Weights

LAYERS, HEADS, WIDTH, INNER = 6, 12, 384, 1536
EPSILON = 1e-12


class Attention(nn.Module):
    """Self-attention with the parameter names of the published file."""

    def __init__(self) -> None:
        super().__init__()
        self.self = nn.ModuleDict({part: nn.Linear(WIDTH, WIDTH) for part in ("query", "key", "value")})
        self.output = Projection(WIDTH)

    def forward(self, hidden: Tensor, mask: Tensor) -> Tensor:
        batch, length, _ = hidden.shape
        parts = [self.self[part](hidden).view(batch, length, HEADS, -1).transpose(1, 2) for part in self.self]
        mixed = functional.scaled_dot_product_attention(*parts, attn_mask=mask)
        return self.output(mixed.transpose(1, 2).reshape(batch, length, WIDTH), hidden)


class Projection(nn.Module):
    """A linear layer, added to what came before and normalised."""

    def __init__(self, inputs: int) -> None:
        super().__init__()
        self.dense = nn.Linear(inputs, WIDTH)
        self.LayerNorm = nn.LayerNorm(WIDTH, EPSILON)

    def forward(self, value: Tensor, before: Tensor) -> Tensor:
        return self.LayerNorm(self.dense(value) + before)


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = Attention()
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(WIDTH, INNER)})
        self.output = Projection(INNER)

    def forward(self, hidden: Tensor, mask: Tensor) -> Tensor:
        attended = self.attention(hidden, mask)
        return self.output(functional.gelu(self.intermediate["dense"](attended)), attended)


class Encoder(nn.Module):
    """Token ids to unit vectors: the mean over real tokens, as the model was trained."""

    def __init__(self, vocabulary: int = 30522, layers: int = LAYERS) -> None:
        super().__init__()
        self.embeddings = nn.ModuleDict(
            {
                "word_embeddings": nn.Embedding(vocabulary, WIDTH),
                "position_embeddings": nn.Embedding(PLACES, WIDTH),
                "token_type_embeddings": nn.Embedding(2, WIDTH),
                "LayerNorm": nn.LayerNorm(WIDTH, EPSILON),
            }
        )
        self.encoder = nn.ModuleDict({"layer": nn.ModuleList(Layer() for _ in range(layers))})

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        hidden = self.hidden(ids, mask)
        counted = mask[:, :, None].to(hidden.dtype)
        return functional.normalize((hidden * counted).sum(1) / counted.sum(1), dim=-1)

    def hidden(self, ids: Tensor, mask: Tensor, segments: Tensor | None = None) -> Tensor:
        """The last state of every token; without segments all belong to the first."""
        tables = self.embeddings
        places = torch.arange(ids.shape[1], device=ids.device)
        kinds = tables["token_type_embeddings"]
        hidden = tables["word_embeddings"](ids) + tables["position_embeddings"](places)
        hidden = tables["LayerNorm"](hidden + (kinds.weight[0] if segments is None else kinds(segments)))
        allowed = mask[:, None, None, :].bool()
        for layer in self.encoder["layer"]:
            hidden = layer(hidden, allowed)
        return hidden


def load_encoder(weights: Mapping[str, NDArray[np.float32]]) -> Encoder:
    layers = len({name.split(".")[2] for name in weights if name.startswith("encoder.layer.")})
    made = Encoder(len(weights[WORDS]), layers)
    made.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in weights.items()})
    return made


def encoder_weights(encoder: Encoder) -> Weights:
    return {name: value.detach().float().cpu().numpy() for name, value in encoder.state_dict().items()}

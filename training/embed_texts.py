"""Vectors of many texts on a GPU, for the cache of an evaluation that would take long on a CPU.

    python -m training.embed_texts texts FILE.jsonl … --out texts.json.xz          passages as the search cuts them
    python -m training.embed_texts vectors texts.json.xz --layers FILE.npz … --out vectors.npy
    python -m training.embed_texts cache texts.json.xz vectors.npy --name MODEL --out FOLDER

The vectors are those of the unquantised layers; the bundled int8 model gives nearly the same (see docs/models.md).
"""

import argparse
import json
import lzma
from pathlib import Path

import numpy as np


def passages(files: list[Path]) -> list[str]:
    """Every passage of the documents in evaluation files, once."""
    from recollect.search.chunking import split_passages
    from recollect.search.eval_file import read_eval_file

    docs = (doc for path in files for doc in read_eval_file(path).docs)
    return list(dict.fromkeys(each.text for doc in docs for each in split_passages(doc.title, doc.text)))


def embed(texts: list[str], layers: list[Path]) -> np.ndarray:
    import torch

    from training.bert import load_encoder
    from training.layers import load_layers
    from training.text_batches import TextBatches

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    encoder = load_encoder(load_layers(layers)).to(device).eval()
    with torch.no_grad():
        return TextBatches(device).vectors(encoder, texts).cpu().numpy().astype(np.float16)


def fill_cache(texts: list[str], vectors: np.ndarray, name: str, folder: Path) -> None:
    """Put vectors where `recollect eval retrieval` and `training.measure_search` look them up."""
    from recollect.embed.cached import CachedEmbedder

    class Known:
        model = name
        dimensions = vectors.shape[1]

        def embed(self, asked: list[str]) -> np.ndarray:
            rows = np.array([known[text] for text in asked], np.float32)
            return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    known = dict(zip(texts, vectors, strict=True))
    CachedEmbedder(Known(), folder).embed(texts)


def main() -> None:
    parser = argparse.ArgumentParser(description="Vectors of many texts on a GPU")
    parser.add_argument("step", choices=("texts", "vectors", "cache"))
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--layers", type=Path, nargs="*", default=[])
    parser.add_argument("--name", default="")
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    if asked.step == "texts":
        asked.out.write_bytes(lzma.compress(json.dumps(passages(asked.files)).encode()))
        return
    texts = json.loads(lzma.decompress(asked.files[0].read_bytes()))
    if asked.step == "vectors":
        np.save(asked.out, embed(texts, asked.layers))
    else:
        fill_cache(texts, np.load(asked.files[1]), asked.name, asked.out)


if __name__ == "__main__":
    main()

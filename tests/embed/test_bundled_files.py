"""The files of the bundled model are the ones that were measured."""

from hashlib import sha256

from recollect.embed.local import BUNDLED, MODEL, LocalEmbedder


def test_the_bundled_files_have_the_recorded_checksums() -> None:
    lines = (line.split() for line in (BUNDLED / "SHA256SUMS").read_text().splitlines())
    recorded = {name: digest for digest, name in lines}
    found = {name: sha256((BUNDLED / name).read_bytes()).hexdigest() for name in recorded}
    assert found == recorded
    assert recorded.keys() == {"model.onnx", "words.npy", "word_scales.npy", "vocabulary.txt", "earlier_0.npy"}


def test_the_bundled_model_can_search_the_vectors_of_those_before() -> None:
    embedder = LocalEmbedder()
    assert embedder.model == MODEL
    assert [each.model for each in embedder.earlier] == ["all-MiniLM-L6-v2"]
    [vector] = embedder.embed(["a walk by the river"])
    for earlier in embedder.earlier:
        turned = earlier.translate(vector)
        assert turned.shape == vector.shape
        assert abs(float(turned @ turned) - 1) < 1e-5

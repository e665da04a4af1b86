"""Text as vectors: the bundled model, any compatible endpoint, and a fake for tests."""

from recollect.embed.fake import HashEmbedder
from recollect.embed.local import LocalEmbedder
from recollect.embed.port import Embedder, EmbeddingFailed, Vectors
from recollect.embed.remote import RemoteEmbedder

__all__ = ["Embedder", "EmbeddingFailed", "HashEmbedder", "LocalEmbedder", "RemoteEmbedder", "Vectors"]

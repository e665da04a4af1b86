"""Text as vectors: the bundled model and any compatible endpoint."""

from recollect.embed.local import LocalEmbedder
from recollect.embed.port import Embedder, EmbeddingFailed, Vectors
from recollect.embed.remote import RemoteEmbedder

__all__ = ["Embedder", "EmbeddingFailed", "LocalEmbedder", "RemoteEmbedder", "Vectors"]

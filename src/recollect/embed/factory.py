"""The configured embedder."""

from functools import cache

from recollect.embed.local import LocalEmbedder
from recollect.embed.port import Embedder
from recollect.embed.remote import RemoteEmbedder
from recollect.settings import Settings

OFF = frozenset({"none", "off", "false"})


def embedder_for(settings: Settings) -> Embedder | None:
    """The endpoint under `embedding.url` if one is set, None for `embedding.model = none`, else the bundled model."""
    model = settings.text("embedding.model")
    if model is not None and model.lower() in OFF:
        return None
    url = settings.text("embedding.url")
    if url is None:
        return bundled_embedder()
    return remote_embedder(url, model or "text-embedding-3-small", settings.text("embedding.key"))


@cache
def bundled_embedder() -> LocalEmbedder:
    """One for the process, so that the model is loaded once."""
    return LocalEmbedder()


@cache
def remote_embedder(url: str, model: str, key: str | None) -> RemoteEmbedder:
    """One for each endpoint, so that its dimensions are requested once."""
    return RemoteEmbedder(url, model, key=key)

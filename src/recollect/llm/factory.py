"""The configured language model."""

from functools import cache
from typing import TYPE_CHECKING

from recollect.llm.port import LanguageModel
from recollect.settings import Settings

if TYPE_CHECKING:
    from recollect.llm.remote import RemoteModel

OFF = frozenset({"none", "off", "false"})
UNNAMED = "default"
"""The model name that endpoints with a single model accept."""


def language_model_for(settings: Settings) -> LanguageModel | None:
    """The endpoint under `llm.url`; None if it is not set, or for `llm.model = none`."""
    url, name = settings.text("llm.url"), settings.text("llm.model", UNNAMED) or UNNAMED
    if url is None or name.lower() in OFF:
        return None
    return remote_model(url, name, settings.text("llm.key"), settings.integer("llm.timeout", 60))


@cache
def remote_model(url: str, name: str, key: str | None, timeout: int) -> "RemoteModel":
    """One for each endpoint, so that the response format it supports is detected once."""
    from recollect.llm.remote import RemoteModel

    return RemoteModel(url, name, key=key, timeout=timeout)

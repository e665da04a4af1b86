"""Running web apps, on each engine where it matters."""

from collections.abc import Iterator

import pytest

from tests.serve.web.sites import GUARDED, Site, running_site


@pytest.fixture
def site(address: str) -> Iterator[Site]:
    """An app that is open to whoever sits at the machine."""
    with running_site(address) as running:
        yield running


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """An app on an empty store, for tests that only look."""
    with running_site(str(tmp_path_factory.mktemp("empty") / "memory.db")) as running:
        yield running


@pytest.fixture
def guarded_site(address: str) -> Iterator[Site]:
    """An app that asks for a token."""
    with running_site(address, GUARDED) as running:
        yield running

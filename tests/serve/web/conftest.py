"""Running web apps, on each engine where it matters."""

from collections.abc import Iterator

import pytest

from recollect.importers import import_plan
from tests.serve.web.sites import GUARDED, Site, running_site
from tests.support.processes import LONGEST_WAIT


@pytest.fixture(autouse=True)
def whole_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dry run tries everything, however busy the machine is."""
    monkeypatch.setattr(import_plan, "TRIAL_SECONDS", LONGEST_WAIT)


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

"""Devices for the tests of replication."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.keep.replication.devices import three_devices

from recollect.surfaces.everyday_memory import EverydayMemory


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("template") / "memory.db"


@pytest.fixture
def pair(template: Path) -> Iterator[tuple[EverydayMemory, EverydayMemory]]:
    with three_devices(template) as [one, other, _]:
        yield one.memory, other.memory

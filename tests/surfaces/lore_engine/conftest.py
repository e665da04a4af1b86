"""Worlds that several tests of the surface start from."""

from collections.abc import Callable

import pytest

from recollect.memory import Memory
from tests.conftest import Build
from tests.surfaces.lore_engine.prose_worlds import build_invented, build_real
from tests.surfaces.lore_engine.telling_tools import Builder


@pytest.fixture
def invented(filled: Callable[[Build], Memory]) -> Builder:
    return Builder(filled(build_invented))


@pytest.fixture
def real(filled: Callable[[Build], Memory]) -> Builder:
    return Builder(filled(build_real))

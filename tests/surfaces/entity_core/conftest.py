import pytest

from recollect.memory import Memory
from tests.conftest import MovingClock
from tests.surfaces.entity_core.asking import Entity


@pytest.fixture
def entity(memory: Memory, clock: MovingClock) -> Entity:
    """An entity with nothing in its memory; it is 2026-05-14T09:30:00Z."""
    return Entity(memory, clock).at("2026-05-14T09:30:00Z")

"""Every declared tool, on every engine, in the example world."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write the schema snapshots instead of comparing them")

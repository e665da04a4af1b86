"""Surfaces are found by their place."""

import pytest

from recollect.surfaces.call_errors import UnknownSurface, UnknownTool
from recollect.surfaces.registry import AmbiguousToolName, find_surface, find_tool, package_names, surface_names
from tests.support.toy_surface import toy_surface


def test_a_package_beside_the_others_is_a_surface() -> None:
    with toy_surface() as toy:
        assert "toy" in surface_names()
        assert find_tool("find_note") is toy.find("find_note")


def test_a_surface_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(UnknownSurface, match="recollect"):
        find_surface("nowhere")


def test_a_tool_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UnknownTool, match="no_such"):
        find_tool("no_such")


def test_essentials_is_another_name_of_the_default_surface() -> None:
    assert find_surface("essentials") is find_surface("recollect")


def test_a_tool_that_two_surfaces_share_must_be_asked_for_by_surface(monkeypatch: pytest.MonkeyPatch) -> None:
    with toy_surface() as toy:
        known = find_surface("cognitive-graph")
        monkeypatch.setitem(toy.tools, "recall_entity", known.find("recall_entity"))
        # The source of the toy does not mention the tool that it is given here.
        monkeypatch.setattr("recollect.surfaces.registry._mentions", lambda *_: True)
        with pytest.raises(AmbiguousToolName, match="cognitive-graph and toy"):
            find_tool("recall_entity")


def test_a_surface_refuses_a_tool_it_does_not_have() -> None:
    with pytest.raises(UnknownTool, match="recollect"):
        find_surface("essentials").find("no_such")


@pytest.mark.parametrize("name", package_names())
def test_every_tool_of_a_surface_has_a_place_in_its_published_order(name: str) -> None:
    surface = find_surface(name)
    assert surface.tool_order == tuple(surface.tools)

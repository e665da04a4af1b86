"""The sections of the web app, in the order of the navigation. Adding a section means adding a line."""

from recollect.serve.web.framework.pages import WebSection
from recollect.serve.web.sections import (
    activity,
    connect,
    document,
    entity,
    fact,
    graph,
    home,
    identity,
    imports,
    memories,
    open_items,
    review,
    search,
    series,
    settings,
    timeline,
    undo,
    world,
)

SECTIONS: tuple[WebSection, ...] = (
    home.SECTION,
    search.SECTION,
    entity.SECTION,
    fact.SECTION,
    document.SECTION,
    graph.SECTION,
    timeline.SECTION,
    memories.SECTION,
    identity.SECTION,
    world.SECTION,
    series.SECTION,
    review.SECTION,
    open_items.SECTION,
    activity.SECTION,
    imports.SECTION,
    connect.SECTION,
    settings.SECTION,
    undo.SECTION,
)

"""Memories: not built yet."""

from recollect.serve.web.framework.pages import Page, PageModel, PageRequest, WebSection


def show(request: PageRequest) -> PageModel:
    del request
    return PageModel("Memories")


SECTION = WebSection(
    "memories", pages=(Page("memories", "memories", show, template="stub.html"),), label="Memories", group="Look"
)

"""Graph: not built yet."""

from recollect.serve.web.framework.pages import Page, PageModel, PageRequest, WebSection


def show(request: PageRequest) -> PageModel:
    del request
    return PageModel("Graph")


SECTION = WebSection("graph", pages=(Page("graph", "graph", show, template="stub.html"),), label="Graph", group="Look")

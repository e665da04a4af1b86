"""Open items: not built yet."""

from recollect.serve.web.framework.pages import Page, PageModel, PageRequest, WebSection


def show(request: PageRequest) -> PageModel:
    del request
    return PageModel("Open items")


SECTION = WebSection(
    "open", pages=(Page("open", "open", show, template="stub.html"),), label="Open items", group="Tend"
)

"""Timeline: not built yet."""

from recollect.serve.web.framework.pages import Page, PageModel, PageRequest, WebSection


def show(request: PageRequest) -> PageModel:
    del request
    return PageModel("Timeline")


SECTION = WebSection(
    "timeline", pages=(Page("timeline", "timeline", show, template="stub.html"),), label="Timeline", group="Look"
)

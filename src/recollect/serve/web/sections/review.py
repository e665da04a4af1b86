"""Review: not built yet."""

from recollect.serve.web.framework.pages import Page, PageModel, PageRequest, WebSection


def show(request: PageRequest) -> PageModel:
    del request
    return PageModel("Review")


SECTION = WebSection(
    "review", pages=(Page("review", "review", show, template="stub.html"),), label="Review", group="Tend"
)

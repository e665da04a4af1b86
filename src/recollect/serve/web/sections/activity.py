"""Activity: not built yet."""

from recollect.serve.web.framework.pages import Page, PageModel, PageRequest, WebSection


def show(request: PageRequest) -> PageModel:
    del request
    return PageModel("Activity")


SECTION = WebSection(
    "activity", pages=(Page("activity", "activity", show, template="stub.html"),), label="Activity", group="Tend"
)

"""Connect: not built yet."""

from recollect.serve.web.framework.pages import Page, PageModel, PageRequest, WebSection


def show(request: PageRequest) -> PageModel:
    del request
    return PageModel("Connect")


SECTION = WebSection(
    "connect", pages=(Page("connect", "connect", show, template="stub.html"),), label="Connect", group="Set up"
)

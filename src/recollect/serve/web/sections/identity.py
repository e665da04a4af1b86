"""Identity: not built yet."""

from recollect.serve.web.framework.pages import Page, PageModel, PageRequest, WebSection


def show(request: PageRequest) -> PageModel:
    del request
    return PageModel("Identity")


SECTION = WebSection(
    "identity", pages=(Page("identity", "identity", show, template="stub.html"),), label="Identity", group="Look"
)

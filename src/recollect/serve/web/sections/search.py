"""Search: not built yet."""

from recollect.serve.web.framework.pages import Page, PageModel, PageRequest, WebSection


def show(request: PageRequest) -> PageModel:
    del request
    return PageModel("Search")


SECTION = WebSection("search", pages=(Page("search", "search", show, template="stub.html"),), label=None, group="")

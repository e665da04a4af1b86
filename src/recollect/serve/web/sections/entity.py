"""Entity: not built yet."""

from recollect.serve.web.framework.pages import Page, PageModel, PageRequest, WebSection


def show(request: PageRequest) -> PageModel:
    del request
    return PageModel("Entity")


SECTION = WebSection("entity", pages=(Page("entity", "entity/{id}", show, template="stub.html"),), label=None, group="")

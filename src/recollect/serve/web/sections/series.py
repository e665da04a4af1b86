"""Series: not built yet."""

from recollect.serve.web.framework.pages import Page, PageModel, PageRequest, WebSection


def show(request: PageRequest) -> PageModel:
    del request
    return PageModel("Series")


SECTION = WebSection("series", pages=(Page("series", "series/{id}", show, template="stub.html"),), label=None, group="")

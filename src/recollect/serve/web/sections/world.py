"""World: not built yet."""

from recollect.serve.web.framework.pages import Page, PageModel, PageRequest, WebSection


def show(request: PageRequest) -> PageModel:
    del request
    return PageModel("World")


SECTION = WebSection("world", pages=(Page("world", "world", show, template="stub.html"),), label="World", group="Look")

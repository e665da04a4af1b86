"""Home: not built yet."""

from recollect.serve.web.framework.pages import Page, PageModel, PageRequest, WebSection


def show(request: PageRequest) -> PageModel:
    del request
    return PageModel("Home")


SECTION = WebSection("home", pages=(Page("home", "", show, template="stub.html"),), label="Home", group="Look")

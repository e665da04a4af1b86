"""Fact: not built yet."""

from recollect.serve.web.framework.pages import Page, PageModel, PageRequest, WebSection


def show(request: PageRequest) -> PageModel:
    del request
    return PageModel("Fact")


SECTION = WebSection("fact", pages=(Page("fact", "fact/{id}", show, template="stub.html"),), label=None, group="")

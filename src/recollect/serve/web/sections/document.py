"""Document: not built yet."""

from recollect.serve.web.framework.pages import Page, PageModel, PageRequest, WebSection


def show(request: PageRequest) -> PageModel:
    del request
    return PageModel("Document")


SECTION = WebSection(
    "document", pages=(Page("document", "document/{id}", show, template="stub.html"),), label=None, group=""
)

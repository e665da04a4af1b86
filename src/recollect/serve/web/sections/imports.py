"""Import: not built yet."""

from recollect.serve.web.framework.pages import Page, PageModel, PageRequest, WebSection


def show(request: PageRequest) -> PageModel:
    del request
    return PageModel("Import")


SECTION = WebSection(
    "import", pages=(Page("import", "import", show, template="stub.html"),), label="Import", group="Set up"
)

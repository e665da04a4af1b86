"""Settings: not built yet."""

from recollect.serve.web.framework.pages import Page, PageModel, PageRequest, WebSection


def show(request: PageRequest) -> PageModel:
    del request
    return PageModel("Settings")


SECTION = WebSection(
    "settings", pages=(Page("settings", "settings", show, template="stub.html"),), label="Settings", group="Set up"
)

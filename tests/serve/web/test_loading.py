"""The web app costs nothing where it is not used."""

import subprocess
import sys

LOADS = """
import sys
{imports}
print([name for name in ("jinja2", "markdown_it", "recollect.serve.web.app") if name in sys.modules])
"""
STDIO = "import recollect.serve.cli.serve, recollect.serve.stdio.session, recollect.serve.stdio.fast_path"
SERVE = """
from recollect.serve.guard import ListenPolicy
from recollect.serve.http import create_app
from recollect.serve.open_store import OpenStore
from recollect.settings import Settings
create_app(OpenStore(Settings()), ListenPolicy("127.0.0.1"))
"""


def loaded_by(imports: str) -> str:
    command = [sys.executable, "-c", LOADS.format(imports=imports)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_neither_stdio_nor_the_start_of_a_server_loads_the_web_app() -> None:
    assert loaded_by(STDIO) == "[]"
    assert loaded_by(SERVE) == "[]"

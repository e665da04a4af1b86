"""What is optional: the packages that messages and pages name are those of the extras."""

import re
import tomllib
from pathlib import Path

import pytest

from recollect.errors import PackageMissing
from recollect.importers.record_formats import DOCUMENT_PACKAGES
from recollect.serve.oauth import OAUTH_PACKAGES
from recollect.store.address import POSTGRES_PACKAGES
from recollect.store.encryption import KEYRING_PACKAGES

ROOT = Path(__file__).parents[1]
EXTRAS: dict[str, list[str]] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
    "optional-dependencies"
]
FOR_DEVELOPERS = {"dev", "training"}
BY_NAME = re.compile(r"(?:pip|pipx|uv tool) install(?: -\S+)* ['\"]?recollect\b(?!-)|\buvx recollect\b")
"""On PyPI the name is another project's."""


@pytest.mark.parametrize(
    ("extra", "packages"),
    [
        ("postgres", POSTGRES_PACKAGES),
        ("documents", DOCUMENT_PACKAGES),
        ("encrypted", KEYRING_PACKAGES),
        ("oauth", OAUTH_PACKAGES),
    ],
)
def test_a_missing_part_names_the_packages_of_its_extra(extra: str, packages: tuple[str, ...]) -> None:
    assert EXTRAS[extra] == list(packages)
    message = str(PackageMissing("It", packages))
    assert f'pip install "{packages[0]}"' in message
    assert f'"{packages[-1]}"' in message


def test_the_page_lists_every_extra_with_its_packages() -> None:
    table = (ROOT / "docs/install.md").read_text("utf-8").partition("## Extras")[2].partition("\n## ")[0]
    for extra, packages in EXTRAS.items():
        if extra not in FOR_DEVELOPERS:
            [line] = [each for each in table.splitlines() if each.startswith("|") and f"`{extra}`" in each]
            assert all(f"`{each}`" in line for each in packages)


def test_nothing_tells_anybody_to_install_the_other_project_of_our_name() -> None:
    texts = [
        *ROOT.glob("docs/**/*.md"),
        ROOT / "README.md",
        *(ROOT / "src").rglob("*.py"),
        *ROOT.glob("integrations/**/*"),
    ]
    told = {
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in texts
        if path.is_file()
        for found in BY_NAME.finditer(path.read_text("utf-8", "ignore"))
    }
    assert not told

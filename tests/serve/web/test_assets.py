"""Vendored assets are what their list says, and small."""

import hashlib
import json
from pathlib import Path

import pytest

from recollect.serve.web.framework.rendering import FOLDER, STYLE_SHEET, content_of

VENDOR = FOLDER / "vendor"
TEST_VENDOR = Path(__file__).parents[2] / "browser" / "vendor"
ASSETS = [
    (each, asset) for each in (VENDOR, TEST_VENDOR) for asset in json.loads((each / "assets.json").read_text("utf-8"))
]


@pytest.mark.parametrize(("folder", "asset"), ASSETS, ids=[asset["file"] for _, asset in ASSETS])
def test_a_vendored_file_is_pinned_with_its_licence(folder: Path, asset: dict[str, str]) -> None:
    for file, digest in ((asset["file"], asset["sha256"]), (asset["licence_file"], asset["licence_sha256"])):
        assert hashlib.sha256((folder / file).read_bytes()).hexdigest() == digest
    assert asset["version"]
    assert asset["licence"]


@pytest.mark.parametrize("folder", [VENDOR, TEST_VENDOR], ids=["served", "tests"])
def test_every_vendored_file_is_in_the_list(folder: Path) -> None:
    listed = {name for each, asset in ASSETS if each == folder for name in (asset["file"], asset["licence_file"])}
    assert {path.name for path in folder.iterdir()} == listed | {"assets.json"}


def test_scripts_and_styles_stay_small() -> None:
    assert len(content_of(STYLE_SHEET) or b"") < 26_000
    assert sum(path.stat().st_size for path in FOLDER.rglob("*.js")) <= 450_000
    assert sum((FOLDER / name).stat().st_size for name in ("app.js", "vendor/htmx.min.js")) <= 150_000

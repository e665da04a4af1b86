"""Vendored assets are what their list says, and small."""

import hashlib
import json

import pytest

from recollect.serve.web.framework.statics import FOLDER, STYLE_SHEET, content_of

VENDOR = FOLDER / "vendor"
ASSETS = json.loads((VENDOR / "assets.json").read_text("utf-8"))


@pytest.mark.parametrize("asset", ASSETS, ids=lambda asset: asset["file"])
def test_a_vendored_file_is_pinned_with_its_licence(asset: dict[str, str]) -> None:
    for file, digest in ((asset["file"], asset["sha256"]), (asset["licence_file"], asset["licence_sha256"])):
        assert hashlib.sha256((VENDOR / file).read_bytes()).hexdigest() == digest
    assert asset["version"]
    assert asset["licence"]


def test_every_vendored_file_is_in_the_list() -> None:
    listed = {name for asset in ASSETS for name in (asset["file"], asset["licence_file"])}
    assert {path.name for path in VENDOR.iterdir()} == listed | {"assets.json"}


def test_scripts_and_styles_stay_small() -> None:
    assert len(content_of(STYLE_SHEET) or b"") < 25_000
    assert sum(path.stat().st_size for path in FOLDER.rglob("*.js")) <= 450_000
    assert sum((FOLDER / name).stat().st_size for name in ("app.js", "vendor/htmx.min.js")) <= 150_000

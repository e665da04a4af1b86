"""Refresh the vendored web assets from npm: `python scripts/vendor_assets.py [NAME ...]`.

The list is `assets.json` in `src/recollect/serve/web/static/vendor`. To add or update an asset, edit its `package`,
`version` and `path` there and run this script: it fetches the package with `npm pack`, copies the file and its licence,
and writes the SHA-256 of both into the list. `tests/serve/web/test_assets.py` checks the sums.
"""

import hashlib
import json
import subprocess
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

VENDOR = Path(__file__).parents[1] / "src/recollect/serve/web/static/vendor"
LIST = VENDOR / "assets.json"


def main(names: list[str]) -> None:
    listed: list[dict[str, Any]] = json.loads(LIST.read_text("utf-8"))
    for asset in listed:
        if not names or asset["file"] in names or asset["package"] in names:
            refresh(asset)
            print(f"{asset['file']}: {asset['package']} {asset['version']}, {asset['bytes']} bytes")  # noqa: T201
    LIST.write_text(json.dumps(listed, indent=2) + "\n", "utf-8")


def refresh(asset: dict[str, Any]) -> None:
    """Copy the file and the licence of an asset out of its package, and note their sums."""
    with TemporaryDirectory() as folder:
        archive = fetch(f"{asset['package']}@{asset['version']}", Path(folder))
        with tarfile.open(archive) as package:
            content = read(package, asset["path"])
            licence = read(package, asset["licence_path"])
    (VENDOR / asset["file"]).write_bytes(content)
    (VENDOR / asset["licence_file"]).write_bytes(licence)
    asset.update(bytes=len(content), sha256=digest(content), licence_sha256=digest(licence))


def fetch(package: str, folder: Path) -> Path:
    subprocess.run(["npm", "pack", "--silent", package], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return next(folder.glob("*.tgz"))


def read(package: tarfile.TarFile, path: str) -> bytes:
    member = package.extractfile(f"package/{path}")
    assert member is not None, f"{path} is not a file of the package"
    return member.read()


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


if __name__ == "__main__":
    main(sys.argv[1:])

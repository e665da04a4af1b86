"""The steps of the Dockerfile in a scratch root, for machines without Docker: built, then run read-only as its user.

It needs root on Linux, for mounts in a namespace of its own; elsewhere it says so and does nothing.
"""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("usr", "etc", "dev", "proc", "opt", "build", "tmp", "data")
LINKS = {"bin": "usr/bin", "sbin": "usr/sbin", "lib": "usr/lib", "lib64": "usr/lib64"}
PYTHON = "/usr/bin/python3"
SECONDS = 900


def main() -> None:
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("unshare") is None:
        sys.stdout.write("container: not tried, it needs root on Linux\n")
        return
    with tempfile.TemporaryDirectory(prefix="rcl") as folder:
        root = Path(folder)
        root.chmod(0o755)
        _lay_out(root)
        script = "\n".join(("set -e", *_mounts(root), *_build(root), *_run(root)))
        command = ("unshare", "--mount", "--propagation", "private", "sh", "-c", script)
        ended = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    if ended.returncode or "healthy" not in ended.stdout:
        sys.exit(f"container: {ended.stdout[-2000:]}{ended.stderr[-2000:]}")
    sys.stdout.write("container: built in a scratch root; healthy as user 10001 on a read-only root\n")


def instructions(dockerfile: str) -> list[tuple[str, str]]:
    """The instructions of a Dockerfile, continued lines joined."""
    lines = dockerfile.replace("\\\n", " ").splitlines()
    words = [line.partition(" ") for line in lines if line and not line.startswith("#")]
    return [(word, " ".join(rest.split())) for word, _, rest in words]


def _lay_out(root: Path) -> None:
    for name in FOLDERS:
        (root / name).mkdir()
    for name, target in LINKS.items():
        (root / name).symlink_to(target)
    shutil.copytree("/etc", root / "etc", symlinks=True, dirs_exist_ok=True, ignore_dangling_symlinks=True)


def _mounts(root: Path) -> list[str]:
    return [
        f"mount --bind {root} {root}",
        f"mount --bind {root}/data {root}/data",
        f"mount --bind /usr {root}/usr",
        f"mount --bind /dev {root}/dev",
        f"mount -t proc proc {root}/proc",
    ]


def _build(root: Path) -> list[str]:
    """COPY and RUN of both stages; the second has the environment of the first in the same root."""
    steps = []
    for word, rest in instructions((ROOT / "Dockerfile").read_text("utf-8")):
        if word == "COPY" and "--from" not in rest:
            sources, target = rest.split()[:-1], rest.split()[-1]
            given = " ".join(shlex.quote(str(ROOT / each)) for each in sources)
            steps.append(f"mkdir -p {root}/build/{target} && cp -r {given} {root}/build/{_into(sources, target)}")
        elif word == "RUN":
            line = f"cd /build && {rest.replace('python -m venv', f'{PYTHON} -m venv', 1)}"
            steps.append(f"chroot {root} /bin/sh -c {shlex.quote(line)} >&2")
    return [*steps, f"rm -rf {root}/build"]


def _into(sources: list[str], target: str) -> str:
    """As COPY does: the contents of a folder, or files beside each other."""
    return str(Path(target).parent) if sources == [target.removeprefix("./")] else target


def _run(root: Path) -> list[str]:
    """The server with the variables of the image until its health check holds; only /data and /tmp are writable."""
    given = instructions((ROOT / "Dockerfile").read_text("utf-8"))
    [variables] = [rest for word, rest in given if word == "ENV"]
    values = variables.replace("$PATH", "/usr/bin:/bin")
    check = "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8399/healthz', timeout=4)"
    inside = (
        "cd /data; if touch /opt/x 2>/dev/null; then echo writable root; exit 1; fi; "
        "recollect serve --port 8399 & "
        f'for each in $(seq 100); do sleep 0.3; python -c "{check}" 2>/dev/null && echo healthy && break; done; '
        "kill $!; wait $!"
    )
    started = f"/usr/bin/env -i HOME=/data {values} /bin/sh -c {shlex.quote(inside)}"
    return [
        f"mount -t tmpfs tmpfs {root}/tmp",
        f"mount -o remount,bind,ro {root}",
        f"exec chroot --userspec=10001:10001 {root} {started}",
    ]


if __name__ == "__main__":
    main()

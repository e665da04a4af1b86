"""`recollect serve` as a service of the user: a systemd unit or a launchd agent, as text."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

LABEL = "io.github.recollect.serve"


@dataclass(frozen=True, slots=True)
class ServiceUnit:
    """A file that describes the service, and the commands that start, stop and show it."""

    path: Path
    text: str
    start: tuple[tuple[str, ...], ...]
    stop: tuple[tuple[str, ...], ...]
    show: tuple[str, ...]


def service_unit(platform: str, home: Path, command: Sequence[str], user_id: int = 0) -> ServiceUnit | None:
    """The unit for this platform; none where there is no service manager for users."""
    if platform == "darwin":
        return _launchd(home, command, user_id)
    return _systemd(home, command) if platform.startswith("linux") else None


def windows_advice(command: Sequence[str]) -> str:
    """How to start the server at logon on Windows, where the task scheduler does that."""
    line = " ".join(f'\\"{word}\\"' if " " in word else word for word in command)
    return "\n".join(
        (
            "Windows starts programs at logon from the task scheduler. In a command prompt:",
            f'  schtasks /Create /TN Recollect /SC ONLOGON /TR "{line}"',
            "  schtasks /Run /TN Recollect",
            "To remove it: schtasks /Delete /TN Recollect /F",
        )
    )


def _systemd(home: Path, command: Sequence[str]) -> ServiceUnit:
    text = "\n".join(
        (
            "[Unit]",
            "Description=Recollect, memory for AI agents",
            "",
            "[Service]",
            f"ExecStart={' '.join(_systemd_word(word) for word in command)}",
            "Restart=on-failure",
            "RestartSec=5",
            "NoNewPrivileges=true",
            "UMask=0077",
            "",
            "[Install]",
            "WantedBy=default.target",
            "",
        )
    )
    systemctl = ("systemctl", "--user")
    return ServiceUnit(
        home / ".config/systemd/user/recollect.service",
        text,
        start=((*systemctl, "daemon-reload"), (*systemctl, "enable", "--now", "recollect.service")),
        stop=((*systemctl, "disable", "--now", "recollect.service"),),
        show=(*systemctl, "is-active", "recollect.service"),
    )


def _systemd_word(word: str) -> str:
    """Quoted for ExecStart, where % and $ are expanded."""
    escaped = word.replace("%", "%%").replace("$", "$$")
    return escaped if shlex.quote(word) == word else '"' + escaped.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _launchd(home: Path, command: Sequence[str], user_id: int) -> ServiceUnit:
    words = "\n".join(f"    <string>{escape(word)}</string>" for word in command)
    log = escape(str(home / "Library/Logs/recollect.log"))
    text = f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>{LABEL}</string>
  <key>ProgramArguments</key>
  <array>
{words}
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>Umask</key>
  <integer>63</integer>
  <key>StandardErrorPath</key>
  <string>{log}</string>
</dict>
</plist>
"""
    path = home / f"Library/LaunchAgents/{LABEL}.plist"
    domain = f"gui/{user_id}"
    return ServiceUnit(
        path,
        text,
        start=(("launchctl", "bootstrap", domain, str(path)),),
        stop=(("launchctl", "bootout", f"{domain}/{LABEL}"),),
        show=("launchctl", "print", f"{domain}/{LABEL}"),
    )

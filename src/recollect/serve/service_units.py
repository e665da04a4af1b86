"""`recollect serve` as a service of the user: a systemd unit or a launchd agent, as text."""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

NO_SECRETS: Mapping[str, str] = {}
LABEL = "io.github.recollect.serve"


@dataclass(frozen=True, slots=True)
class ServiceUnit:
    """A file that describes the service, and the commands that start, stop and show it."""

    path: Path
    text: str
    start: tuple[tuple[str, ...], ...]
    stop: tuple[tuple[str, ...], ...]
    show: tuple[str, ...]
    variables: tuple[Path, str] | None = None
    """The file that has the variables of the service, and its text; none if the unit has them or there are none."""


def service_unit(
    platform: str, home: Path, command: Sequence[str], user_id: int = 0, secrets: Mapping[str, str] = NO_SECRETS
) -> ServiceUnit | None:
    """The unit for this platform; none where there is no service manager for users."""
    if platform == "darwin":
        return _launchd(home, command, user_id, secrets)
    return _systemd(home, command, secrets) if platform.startswith("linux") else None


def windows_advice(command: Sequence[str], secrets: Mapping[str, str] = NO_SECRETS) -> str:
    """How to start the server at logon on Windows, where the task scheduler does that."""
    line = " ".join(f'\\"{word}\\"' if " " in word else word for word in command)
    return "\n".join(
        (
            "Windows starts programs at logon from the task scheduler. In a command prompt:",
            f'  schtasks /Create /TN Recollect /SC ONLOGON /TR "{line}"',
            "  schtasks /Run /TN Recollect",
            *(f"Set {name} for your user first: setx {name} VALUE" for name in secrets),
            "To remove it: schtasks /Delete /TN Recollect /F",
        )
    )


def _systemd(home: Path, command: Sequence[str], secrets: Mapping[str, str]) -> ServiceUnit:
    folder = home / ".config/systemd/user"
    variables = (folder / "recollect.env", "".join(f"{name}={_quoted(value)}\n" for name, value in secrets.items()))
    text = "\n".join(
        (
            "[Unit]",
            "Description=Recollect, memory for AI agents",
            "",
            "[Service]",
            *([f"EnvironmentFile={_systemd_path(variables[0])}"] if secrets else []),
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
        folder / "recollect.service",
        text,
        start=((*systemctl, "daemon-reload"), (*systemctl, "enable", "--now", "recollect.service")),
        stop=((*systemctl, "disable", "--now", "recollect.service"),),
        show=(*systemctl, "is-active", "recollect.service"),
        variables=variables if secrets else None,
    )


def _systemd_path(path: Path) -> str:
    """A path as the value of a setting, where only % is expanded and nothing is quoted."""
    return str(path).replace("%", "%%")


def _quoted(value: str) -> str:
    """Quoted for an EnvironmentFile."""
    return '"' + re.sub(r'(["\\\\$`])', r"\\\1", value) + '"'


def _systemd_word(word: str) -> str:
    """Quoted for ExecStart, where % and $ are expanded."""
    escaped = word.replace("%", "%%").replace("$", "$$")
    return escaped if shlex.quote(word) == word else '"' + escaped.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _launchd(home: Path, command: Sequence[str], user_id: int, secrets: Mapping[str, str]) -> ServiceUnit:
    words = "\n".join(f"    <string>{escape(word)}</string>" for word in command)
    variables = "".join(
        f"    <key>{escape(name)}</key>\n    <string>{escape(value)}</string>\n" for name, value in secrets.items()
    )
    environment = f"  <key>EnvironmentVariables</key>\n  <dict>\n{variables}  </dict>\n" if secrets else ""
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
{environment}  <key>RunAtLoad</key>
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

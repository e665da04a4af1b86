"""The system keyring as the place of the key of a store, and what is said when it cannot be read."""

from pathlib import Path

import keyring
import pytest
from keyring.errors import KeyringLocked, NoKeyringError

from recollect.importers.imap import MailAddress, NoMailPassword, mail_password
from recollect.settings import Settings
from recollect.store.encryption import KeyringUnusable, key_from


def settings_for(database: Path) -> Settings:
    return Settings({"RECOLLECT_DB": str(database), "RECOLLECT_KEYRING": "true"})


def test_the_key_is_kept_under_the_path_of_the_store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kept = {("recollect", str(tmp_path / "a.db")): "correct horse"}
    monkeypatch.setattr(keyring, "get_password", lambda service, user: kept.get((service, user)))
    found = key_from(settings_for(tmp_path / "a.db"))
    assert found is not None
    assert found.secret == "correct horse"
    assert key_from(settings_for(tmp_path / "b.db")) is None


@pytest.mark.parametrize(
    "failure",
    [NoKeyringError("No backend. See the manual"), KeyringLocked(), ModuleNotFoundError("No module"), OSError("dbus")],
)
def test_a_keyring_that_cannot_be_read_is_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, failure: Exception
) -> None:
    def refuse(*_: str) -> str:
        raise failure

    monkeypatch.setattr(keyring, "get_password", refuse)
    with pytest.raises(KeyringUnusable, match=r"^the system keyring cannot be read \([^()\n]+\); unlock it, or give"):
        key_from(settings_for(tmp_path / "a.db"))
    with pytest.raises(NoMailPassword, match="RECOLLECT_IMAP_PASSWORD"):
        mail_password(MailAddress("mail.example", 993, "ann", "INBOX", is_tls=True), settings_for(tmp_path))

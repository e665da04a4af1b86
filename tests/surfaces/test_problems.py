"""What surfaces print for a failure is found by its nearest class."""

from recollect.errors import Conflict, NotKnown, PackageMissing, RecollectError, Refused, Unsupported
from recollect.surfaces.call_errors import code_by_class


def test_the_nearest_class_decides() -> None:
    codes: dict[type[RecollectError], str] = {Refused: "bad", Unsupported: "cannot", PackageMissing: "install"}
    assert code_by_class(PackageMissing("reading PDF files", ["pypdf"]), codes, "bug") == "install"
    assert code_by_class(Unsupported("no"), codes, "bug") == "cannot"
    assert code_by_class(NotKnown("who"), codes, "bug") == code_by_class(Conflict("stale"), codes, "bug") == "bug"

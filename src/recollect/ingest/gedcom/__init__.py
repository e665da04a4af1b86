"""Family trees in GEDCOM 5.5, 5.5.1 and 7.0: bytes to lines to records to what they state."""

"""The one path by which anything is written: ends, record, retract, merge, undo."""

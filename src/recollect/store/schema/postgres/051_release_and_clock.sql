-- The release that brought the store to a schema, for a message in an older release that must not open it.
ALTER TABLE migration ADD COLUMN release TEXT NOT NULL DEFAULT '';

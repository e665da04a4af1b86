-- The release that brought the store to a schema, for a message in an older release that must not open it.
CREATE TABLE migration (
  number BIGINT PRIMARY KEY,
  name TEXT NOT NULL,
  release TEXT NOT NULL
);

-- What reading records has to remember: bookkeeping, so neither versioned nor undone.

-- When the source spoke that an entity has its name or a property from, so that order of arrival decides nothing.
CREATE TABLE said (
  ws BIGINT NOT NULL,
  entity TEXT NOT NULL,
  key TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (ws, entity, key)
);

-- Records by what identifies them beside their id: a message id, an id of the system they came from.
CREATE TABLE record_identity (
  ws BIGINT NOT NULL,
  type TEXT NOT NULL,
  value TEXT NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (ws, type, value)
);

-- Records that are read again when something of this name comes to be known.
CREATE TABLE awaited (
  ws BIGINT NOT NULL,
  word TEXT NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (ws, word, document)
);

-- Up to which transaction new names were looked at for records that await them.
CREATE TABLE reading (
  ws BIGINT NOT NULL PRIMARY KEY,
  tx BIGINT NOT NULL
);

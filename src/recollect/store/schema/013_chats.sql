ALTER TABLE extraction_health ADD COLUMN dropped BIGINT NOT NULL DEFAULT 0;

-- The messages of a conversation, in its order; their texts stand in the document, from `start` to `stop`.
CREATE TABLE message (
  ws BIGINT NOT NULL,
  document TEXT NOT NULL,
  seq BIGINT NOT NULL,
  tx_from BIGINT NOT NULL,
  tx_to BIGINT NOT NULL,
  key TEXT NOT NULL,
  role TEXT NOT NULL,
  at BIGINT NOT NULL,
  estimated SMALLINT NOT NULL,
  start BIGINT NOT NULL,
  stop BIGINT NOT NULL,
  more TEXT NOT NULL,
  PRIMARY KEY (ws, document, seq, tx_from)
);
CREATE INDEX message_begun ON message (ws, tx_from);
CREATE INDEX message_ended ON message (ws, tx_to) WHERE tx_to < 9223372036854775807;

-- Which messages a bullet of a daily memory came from; the bullet is known by the hash of its text.
CREATE TABLE chat_bullet (
  ws BIGINT NOT NULL,
  document TEXT NOT NULL,
  memory TEXT NOT NULL,
  hash TEXT NOT NULL,
  tx_from BIGINT NOT NULL,
  tx_to BIGINT NOT NULL,
  messages TEXT NOT NULL,
  PRIMARY KEY (ws, document, memory, hash, tx_from)
);
CREATE INDEX chat_bullet_begun ON chat_bullet (ws, tx_from);
CREATE INDEX chat_bullet_ended ON chat_bullet (ws, tx_to) WHERE tx_to < 9223372036854775807;

-- What was erased and must not come back, by hashes alone: of its name, and of each text it had.
CREATE TABLE forgotten (
  ws BIGINT NOT NULL,
  hash TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (ws, hash)
);

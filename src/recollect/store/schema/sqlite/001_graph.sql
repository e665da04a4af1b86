CREATE TABLE chunk (
  number INTEGER PRIMARY KEY,
  ws BIGINT NOT NULL,
  document TEXT NOT NULL,
  tx_from BIGINT NOT NULL,
  tx_to BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  start BIGINT NOT NULL,
  stop BIGINT NOT NULL,
  hash TEXT NOT NULL,
  text TEXT NOT NULL
);
CREATE INDEX chunk_of_document ON chunk (ws, document, tx_to);
CREATE INDEX chunk_hash ON chunk (ws, hash);
CREATE INDEX chunk_begun ON chunk (ws, tx_from);
CREATE INDEX chunk_ended ON chunk (ws, tx_to) WHERE tx_to < 9223372036854775807;

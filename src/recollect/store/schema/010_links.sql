-- How memories hang together: what was derived when they were written, and what somebody said.
CREATE TABLE memory_link (
  ws BIGINT NOT NULL,
  one TEXT NOT NULL,
  other TEXT NOT NULL,
  type TEXT NOT NULL,
  tx_from BIGINT NOT NULL,
  tx_to BIGINT NOT NULL,
  origin TEXT NOT NULL,
  confidence DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (ws, one, other, type, tx_from)
);
CREATE INDEX memory_link_other ON memory_link (ws, other, tx_to);
CREATE INDEX memory_link_begun ON memory_link (ws, tx_from);
CREATE INDEX memory_link_ended ON memory_link (ws, tx_to) WHERE tx_to < 9223372036854775807;

-- What links are derived from, as it was taken when they last were: an index, so neither versioned nor undone.
CREATE TABLE memory_place (
  ws BIGINT NOT NULL,
  memory TEXT NOT NULL,
  stream TEXT NOT NULL,
  at BIGINT NOT NULL,
  written TEXT NOT NULL,
  part_of TEXT,
  PRIMARY KEY (ws, memory)
);
CREATE INDEX memory_in_stream ON memory_place (ws, stream, at, written);
CREATE TABLE memory_trait (
  ws BIGINT NOT NULL,
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  memory TEXT NOT NULL,
  PRIMARY KEY (ws, kind, value, memory)
);
CREATE INDEX memory_trait_of ON memory_trait (ws, memory);

-- Titles of documents as a text may name them: folded, and without what stands in brackets behind. An index too.
CREATE TABLE title (
  ws BIGINT NOT NULL,
  folded TEXT NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (ws, folded, document)
);

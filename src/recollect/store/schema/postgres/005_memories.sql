-- Where the live memories stand in time and which words each has: an index of the newest state, so not versioned.
CREATE TABLE memory_entry (
  ws BIGINT NOT NULL,
  number BIGINT NOT NULL,
  document TEXT NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  content TEXT NOT NULL,
  granularity TEXT NOT NULL,
  place BIGINT NOT NULL,
  instance TEXT NOT NULL,
  others TEXT NOT NULL,
  first_day BIGINT NOT NULL,
  last_day BIGINT NOT NULL,
  PRIMARY KEY (ws, number)
);
CREATE UNIQUE INDEX memory_entry_document ON memory_entry (ws, document);
CREATE INDEX memory_entry_period ON memory_entry (ws, last_day, place, key);
CREATE TABLE memory_word (
  ws BIGINT NOT NULL,
  word TEXT COLLATE "C" NOT NULL,
  number BIGINT NOT NULL,
  PRIMARY KEY (ws, word, number)
);
-- Ranges of keys by their bytes, whatever the collation of the database.
CREATE INDEX document_memory_key ON document (ws, (key COLLATE "C")) WHERE kind = 'memory';

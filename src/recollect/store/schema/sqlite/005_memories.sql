-- Where the live memories stand in time and which words each has: an index of the newest state, so not versioned.
CREATE TABLE memory_entry (
  ws BIGINT NOT NULL,
  number BIGINT NOT NULL,
  document TEXT NOT NULL,
  key TEXT NOT NULL,
  content TEXT NOT NULL,
  granularity TEXT NOT NULL,
  place BIGINT NOT NULL,
  instance TEXT NOT NULL,
  others TEXT NOT NULL,
  first_day BIGINT NOT NULL,
  last_day BIGINT NOT NULL,
  PRIMARY KEY (ws, number)
) WITHOUT ROWID;
CREATE UNIQUE INDEX memory_entry_document ON memory_entry (ws, document);
CREATE INDEX memory_entry_period ON memory_entry (ws, last_day, place, key);
CREATE TABLE memory_word (
  ws BIGINT NOT NULL,
  word TEXT NOT NULL,
  number BIGINT NOT NULL,
  PRIMARY KEY (ws, word, number)
) WITHOUT ROWID;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('memory_entry', 'memory_entry', '100000 100000 1'),
  ('memory_entry', 'memory_entry_document', '100000 100000 1'),
  ('memory_entry', 'memory_entry_period', '100000 100000 10 5 1'),
  ('memory_word', 'memory_word', '6000000 6000000 300 1');
ANALYZE sqlite_schema;

-- The words of facts, for those who look for them without a name: made when first asked for, then caught up.
CREATE TABLE fact_number (
  number INTEGER PRIMARY KEY,
  ws BIGINT NOT NULL,
  fact TEXT NOT NULL,
  UNIQUE (ws, fact)
);
CREATE VIRTUAL TABLE fact_word USING fts5 (
  words, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'"
);
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('fact_number', 'sqlite_autoindex_fact_number_1', '1000000 1000000 1');
ANALYZE sqlite_schema;

-- The words of every chunk, stemmed before they get here; each carries its workspace, so no list of a word is shared.
CREATE VIRTUAL TABLE chunk_word USING fts5 (
  words, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'"
);
CREATE VIRTUAL TABLE chunk_word_place USING fts5vocab (chunk_word, 'instance');
CREATE INDEX chunk_numbered ON chunk (ws, number);

-- Numbers never come twice, so a process that keeps vectors in memory reads only what is new.
DROP TABLE embedding;
CREATE TABLE embedding (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  ws BIGINT NOT NULL,
  model TEXT NOT NULL,
  hash TEXT NOT NULL,
  vector BLOB NOT NULL,
  UNIQUE (ws, model, hash)
);

CREATE EXTENSION IF NOT EXISTS vector;

-- The words of every chunk, stemmed before they get here; each carries its workspace, so no list of a word is shared.
CREATE TABLE chunk_word (
  ws BIGINT NOT NULL,
  number BIGINT NOT NULL,
  words TSVECTOR NOT NULL,
  PRIMARY KEY (ws, number)
);
CREATE INDEX chunk_word_words ON chunk_word USING GIN (words);

ALTER TABLE embedding DROP COLUMN vector;
ALTER TABLE embedding ADD COLUMN vector vector NOT NULL;

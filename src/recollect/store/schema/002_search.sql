-- How far the indexes of a workspace have come, and what they hold: bookkeeping, so not versioned.
CREATE TABLE indexed (
  ws BIGINT NOT NULL,
  part TEXT NOT NULL,
  upto BIGINT NOT NULL,
  chunks BIGINT NOT NULL,
  characters BIGINT NOT NULL,
  PRIMARY KEY (ws, part)
);
CREATE INDEX document_author ON document (ws, author) WHERE author IS NOT NULL;
CREATE INDEX document_title ON document (ws, title) WHERE title IS NOT NULL;

-- A heading may be longer than an index row of this engine.
DROP INDEX document_title;
CREATE INDEX document_title ON document (ws, substr(title, 1, 200)) WHERE title IS NOT NULL;

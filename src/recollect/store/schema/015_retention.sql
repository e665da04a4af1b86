-- When the bodies of documents are to go: an index for those who sweep, so neither versioned nor undone.
CREATE TABLE body_due (
  ws BIGINT NOT NULL,
  document TEXT NOT NULL,
  due_at BIGINT NOT NULL,
  PRIMARY KEY (ws, document)
);
CREATE INDEX body_due_at ON body_due (ws, due_at);

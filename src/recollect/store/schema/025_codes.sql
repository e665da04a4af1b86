-- The signs of vectors in blocks, each up to the number of its last vector: an index, so neither versioned nor undone.
CREATE TABLE vector_coded (
  ws BIGINT NOT NULL,
  model TEXT NOT NULL,
  upto BIGINT NOT NULL,
  erasures BIGINT NOT NULL,
  PRIMARY KEY (ws, model)
);
CREATE TABLE vector_code (
  ws BIGINT NOT NULL,
  model TEXT NOT NULL,
  last BIGINT NOT NULL,
  numbers BLOB NOT NULL,
  signs BLOB NOT NULL,
  PRIMARY KEY (ws, model, last)
);

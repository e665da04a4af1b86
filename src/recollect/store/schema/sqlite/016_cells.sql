-- Vectors by cells, for stores with too many to compare with all: an index, so neither versioned nor undone.
-- A generation is built beside the one in use, and takes its place when it is whole.
CREATE TABLE vector_generation (
  ws BIGINT NOT NULL,
  model TEXT NOT NULL,
  generation BIGINT NOT NULL,
  upto BIGINT NOT NULL,
  trained_on BIGINT NOT NULL,
  is_ready SMALLINT NOT NULL,
  PRIMARY KEY (ws, model, generation)
);
CREATE TABLE vector_cell (
  ws BIGINT NOT NULL,
  model TEXT NOT NULL,
  generation BIGINT NOT NULL,
  cell BIGINT NOT NULL,
  centre BLOB NOT NULL,
  PRIMARY KEY (ws, model, generation, cell)
);
CREATE TABLE vector_block (
  ws BIGINT NOT NULL,
  model TEXT NOT NULL,
  generation BIGINT NOT NULL,
  cell BIGINT NOT NULL,
  block BIGINT NOT NULL,
  numbers BLOB NOT NULL,
  scales BLOB NOT NULL,
  rows BLOB NOT NULL,
  PRIMARY KEY (ws, model, generation, cell, block)
);
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('vector_generation', 'sqlite_autoindex_vector_generation_1', '2 2 2 1'),
  ('vector_cell', 'sqlite_autoindex_vector_cell_1', '2000 2000 2000 2000 1'),
  ('vector_block', 'sqlite_autoindex_vector_block_1', '20000 20000 20000 20000 20 1');
ANALYZE sqlite_schema;

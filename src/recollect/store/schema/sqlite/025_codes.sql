DROP TABLE vector_generation;
DROP TABLE vector_cell;
DROP TABLE vector_block;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('vector_coded', 'sqlite_autoindex_vector_coded_1', '2 2 1'),
  ('vector_code', 'sqlite_autoindex_vector_code_1', '250 250 250 1');
ANALYZE sqlite_schema;

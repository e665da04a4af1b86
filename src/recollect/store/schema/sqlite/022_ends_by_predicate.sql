DELETE FROM sqlite_stat1 WHERE idx IN ('fact_of_subject', 'fact_of_object');
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('fact', 'fact_of_subject', '1000000 1000000 100 4 3'),
  ('fact', 'fact_of_object', '1000000 1000000 100 4 3');
ANALYZE sqlite_schema;

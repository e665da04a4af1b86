INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('held_fact', 'sqlite_autoindex_held_fact_1', '1000 1000 1 1'),
  ('held_fact', 'held_fact_open', '1000 1000 300 1'),
  ('held_fact', 'held_fact_begun', '1000 1000 1'),
  ('held_fact', 'held_fact_ended', '100 100 1');
ANALYZE sqlite_schema;

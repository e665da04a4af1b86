INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('body_due', 'sqlite_autoindex_body_due_1', '100000 100000 1'),
  ('body_due', 'body_due_at', '100000 100000 10');
ANALYZE sqlite_schema;

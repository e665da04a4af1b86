INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('manifest', 'sqlite_autoindex_manifest_1', '20 20 2 1'),
  ('manifest', 'manifest_begun', '20 20 1'),
  ('manifest', 'manifest_ended', '20 20 1'),
  ('measurement', 'sqlite_autoindex_measurement_1', '1000000 1000000 1 1'),
  ('measurement', 'measurement_at', '1000000 1000000 100000 50000 1'),
  ('measurement', 'measurement_begun', '1000000 1000000 1'),
  ('measurement', 'measurement_ended', '10000 10000 1'),
  ('measured_day', 'sqlite_autoindex_measured_day_1', '100000 100000 10000 5000 5 3 1'),
  ('measurement_mark', 'sqlite_autoindex_measurement_mark_1', '1000000 1000000 1');
ANALYZE sqlite_schema;

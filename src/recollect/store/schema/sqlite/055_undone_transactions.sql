INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('tx', 'tx_undoing', '1000 1000 1 1');
ANALYZE sqlite_schema;

-- The index of open items without a list of predicates, which SQLite makes anew for every fact that is written.
DROP INDEX fact_item;
CREATE INDEX fact_item ON fact (ws, until_hi, id, predicate, label, certainty, subject, object)
WHERE tx_to = 9223372036854775807 AND stale = 0 AND (predicate = 'blocked_by' OR predicate = 'blocker' OR predicate = 'commitment' OR predicate = 'goal'
  OR predicate = 'pending_decision' OR predicate = 'promise' OR predicate = 'request');
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('fact', 'fact_item', '10000 10000 20 1 1 1 1 1 1');
ANALYZE sqlite_schema;

-- The facts of a slot by state and time, and replaced ones by their text: a write into a long slot reads few of them.
DROP INDEX fact_in_slot;
CREATE INDEX fact_in_slot ON fact (ws, slot, tx_to, stale, policy, source_at);
CREATE INDEX fact_replaced ON fact (ws, (CAST(slot AS TEXT) || ':' || CASE
  WHEN policy = 'supersede' AND replaced_by IS NOT NULL AND attributes = '{}' AND words IS NOT NULL
    AND certainty <> 'verified' AND certainty <> 'retracted' AND (label <> 'AFFILIATED' OR until_hi IS NULL)
    AND NOT words GLOB '*[^ -~]*' AND NOT words GLOB ' *' AND instr(words, '  ') = 0
  THEN substr(rtrim(lower(words), ' .,;:!?'), 1, 100) ELSE '' END))
WHERE stale = 1 AND policy <> 'accumulate' AND tx_to = 9223372036854775807;
DELETE FROM sqlite_stat1 WHERE idx = 'fact_in_slot';
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('fact', 'fact_in_slot', '1000000 1000000 2 2 2 2 1'),
  ('fact', 'fact_replaced', '100000 100000 2');
ANALYZE sqlite_schema;

-- The facts of a slot by state and time, and replaced ones by their text: a write into a long slot reads few of them.
DROP INDEX fact_in_slot;
CREATE INDEX fact_in_slot ON fact (ws, slot, tx_to, stale, policy, source_at);
CREATE INDEX fact_replaced ON fact (ws, (CAST(slot AS VARCHAR) || ':' || CASE
  WHEN policy = 'supersede' AND replaced_by IS NOT NULL AND attributes = '{}' AND words IS NOT NULL
    AND certainty <> 'verified' AND certainty <> 'retracted' AND (label <> 'AFFILIATED' OR until_hi IS NULL)
    AND words !~ '[^ -~]' AND words NOT LIKE ' %' AND strpos(words, '  ') = 0
  THEN substr(rtrim(lower(words), ' .,;:!?'), 1, 100) ELSE '' END))
WHERE stale = 1 AND policy <> 'accumulate' AND tx_to = 9223372036854775807;

-- The slot of a replaced fact and its text, as far as SQL can fold it; no text where that is left to the reader of the row.
-- The index `fact_replaced` has the same expression. With the slot in it, no other index seems as good to a planner.
-- fragment: slot_text
CAST(slot AS TEXT) || ':' || CASE
  WHEN policy = 'supersede' AND replaced_by IS NOT NULL AND attributes = '{}' AND words IS NOT NULL
    AND certainty <> 'verified' AND certainty <> 'retracted' AND (label <> 'AFFILIATED' OR until_hi IS NULL)
    AND NOT words GLOB '*[^ -~]*' AND NOT words GLOB ' *' AND instr(words, '  ') = 0
  THEN substr(rtrim(lower(words), ' .,;:!?'), 1, 100) ELSE '' END

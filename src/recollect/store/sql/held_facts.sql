-- name: held_facts
SELECT id, document, candidates, held_at, value FROM held_fact
WHERE ws = :ws AND @row_known ORDER BY held_at DESC, id DESC LIMIT :limit

-- name: held_facts_ever_of
SELECT id, document, candidates, held_at, value FROM held_fact
WHERE ws = :ws AND document = :document AND tx_from <= :as_of_tx ORDER BY id LIMIT 1000

-- name: held_fact_one
SELECT id, document, candidates, held_at, value FROM held_fact WHERE ws = :ws AND id = :id AND @row_known

-- erased: held_fact document

-- The names of an erased entity are removed after this, because the queries run in the order of their names.
-- name: forget_in_held_fact_candidates
DELETE FROM held_fact WHERE ws = :ws AND EXISTS (
  SELECT 1 FROM name n WHERE n.ws = :ws AND n.entity IN_LIST(:ids) AND held_fact.candidates LIKE '%' || n.entity || '%')

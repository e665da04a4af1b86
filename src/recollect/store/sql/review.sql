-- name: names_changed_since
SELECT 1 FROM name WHERE ws = :ws AND tx_from > :since
UNION ALL
SELECT 1 FROM name WHERE ws = :ws AND tx_to > :since AND tx_to < @open LIMIT 1

-- Read from the index of names alone; which of them are live is decided by the join.
-- name: names_shared
SELECT n.key, n.entity FROM (
  SELECT k.digits, k.key FROM name k WHERE k.ws = :ws
  GROUP BY k.digits, k.key HAVING MIN(k.entity) <> MAX(k.entity) ORDER BY k.digits, k.key LIMIT :limit
) shared
JOIN name n ON n.ws = :ws AND n.digits = shared.digits AND n.key = shared.key
WHERE @spelled AND @known(n) AND n.key <> '' ORDER BY n.key, n.entity

-- name: entities_newest
SELECT @entity_columns FROM entity e WHERE e.ws = :ws AND @known(e) AND e.merged_into IS NULL AND e.deleted IS NULL
ORDER BY e.id DESC LIMIT :limit

-- Each predicate once, by jumping from one to the next in the index; then its facts are counted in the index.
-- name: predicate_uses
WITH RECURSIVE p(name) AS (
  SELECT MIN(f.predicate) FROM fact f WHERE f.ws = :ws
  UNION ALL
  SELECT (SELECT MIN(f.predicate) FROM fact f WHERE f.ws = :ws AND f.predicate > p.name) FROM p WHERE p.name IS NOT NULL
), used AS (
  SELECT p.name, (SELECT COUNT(*) FROM fact f WHERE f.ws = :ws AND f.predicate = p.name AND f.tx_to > :as_of_tx) AS facts
  FROM p WHERE p.name IS NOT NULL LIMIT :limit
)
SELECT u.name, u.facts FROM used u WHERE u.facts > 0 ORDER BY u.name

-- name: any_decision
SELECT 1 FROM review_flag WHERE ws = :ws AND kind = 'decision' LIMIT 1

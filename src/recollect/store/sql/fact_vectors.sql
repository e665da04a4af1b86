-- Vectors of facts, each stored under the id of its fact.

-- fragment: fact_findable
f.ws = :ws AND f.tx_from <= :as_of_tx AND f.tx_to > :as_of_tx AND f.is_alias = 0 AND f.certainty <> 'retracted'
AND f.source_at >= :since AND f.source_at <= :until

-- name: facts_all_embedded
SELECT f.id, e.number FROM fact f JOIN embedding e ON e.ws = f.ws AND e.model = :model AND e.hash = f.id
WHERE @fact_findable LIMIT :limit

-- name: facts_all_embedded_about
SELECT f.id, e.number FROM fact f JOIN embedding e ON e.ws = f.ws AND e.model = :model AND e.hash = f.id
WHERE f.subject = :entity AND @fact_findable
UNION
SELECT f.id, e.number FROM fact f JOIN embedding e ON e.ws = f.ws AND e.model = :model AND e.hash = f.id
WHERE f.object = :entity AND @fact_findable LIMIT :limit

-- Facts that began after a transaction and are still stated; the newest are those that a reader has just written.
-- name: facts_waiting_newest
SELECT f.id FROM fact f WHERE f.ws = :ws AND f.tx_from > :upto AND f.tx_to = @open AND f.is_alias = 0
AND f.certainty <> 'retracted'
AND NOT EXISTS (SELECT 1 FROM embedding e WHERE e.ws = f.ws AND e.model = :model AND e.hash = f.id)
ORDER BY f.tx_from DESC LIMIT :limit

-- name: facts_waiting_counted
SELECT COUNT(*) FROM (
  SELECT 1 FROM fact f WHERE f.ws = :ws AND f.tx_from > :upto AND f.tx_to = @open AND f.is_alias = 0
  AND f.certainty <> 'retracted'
  AND NOT EXISTS (SELECT 1 FROM embedding e WHERE e.ws = f.ws AND e.model = :model AND e.hash = f.id)
  LIMIT :limit) AS waiting

-- A renamed entity changes the text of its facts, unless they have words of their own.
-- name: facts_renamed_between
SELECT f.id FROM fact f
WHERE f.ws = :ws AND f.tx_to = @open AND f.words IS NULL AND f.evidence IS NULL AND f.is_alias = 0
AND f.subject IN (
  SELECT e.id FROM entity e JOIN entity p ON p.ws = e.ws AND p.id = e.id AND p.tx_to = e.tx_from
  WHERE e.ws = :ws AND e.tx_from > :upto AND e.tx_from <= :until AND p.name <> e.name)
UNION
SELECT f.id FROM fact f
WHERE f.ws = :ws AND f.tx_to = @open AND f.words IS NULL AND f.evidence IS NULL AND f.is_alias = 0
AND f.object IN (
  SELECT e.id FROM entity e JOIN entity p ON p.ws = e.ws AND p.id = e.id AND p.tx_to = e.tx_from
  WHERE e.ws = :ws AND e.tx_from > :upto AND e.tx_from <= :until AND p.name <> e.name)
LIMIT :limit

-- name: facts_begun_some
SELECT tx_from FROM fact WHERE ws = :ws AND tx_from > :upto ORDER BY tx_from LIMIT :limit

-- name: facts_first_begun
SELECT MIN(tx_from) FROM fact WHERE ws = :ws AND id IN_LIST(:facts) AND tx_to = @open

-- name: fact_vectors_rewind
UPDATE indexed SET upto = :upto WHERE ws = :ws AND part LIKE 'fact-meaning:%' AND upto > :upto

-- name: vectors_drop_keyed
DELETE FROM embedding WHERE ws = :ws AND hash IN_LIST(:hashes)

-- name: facts_stated_in
SELECT DISTINCT document, fact FROM assertion WHERE ws = :ws AND document IN_LIST(:documents) AND tx_from <= :as_of_tx
ORDER BY document, fact

-- name: keys_all_embedded
SELECT hash, number FROM embedding WHERE ws = :ws AND model = :model LIMIT :limit

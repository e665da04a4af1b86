-- name: facts_begun_until
SELECT MAX(tx_from) FROM (
  SELECT tx_from FROM fact WHERE ws = :ws AND tx_from > :upto ORDER BY tx_from LIMIT :limit) AS next

-- name: facts_begun_between
SELECT id, predicate, literal, words, evidence FROM fact
WHERE ws = :ws AND tx_from > :upto AND tx_from <= :until AND is_alias = 0 ORDER BY tx_from, id

-- name: facts_standing_between
SELECT f.id, f.predicate, f.literal, f.words, f.evidence FROM fact f
WHERE f.ws = :ws AND f.tx_from > :upto AND f.tx_from <= :until AND f.tx_from <= :as_of_tx AND f.tx_to > :as_of_tx
  AND f.is_alias = 0 AND f.certainty <> 'retracted'

-- name: fact_numbers_add
INSERT INTO fact_number (ws, fact)
SELECT ws, id FROM fact
WHERE ws = :ws AND tx_from > :upto AND tx_from <= :until AND is_alias = 0 ORDER BY tx_from, id
ON CONFLICT DO NOTHING

-- name: facts_numbered_between
SELECT n.number, f.predicate, f.literal, f.words, f.evidence FROM fact f
JOIN fact_number n ON n.ws = f.ws AND n.fact = f.id
WHERE f.ws = :ws AND f.tx_from > :upto AND f.tx_from <= :until AND f.is_alias = 0 AND n.number > :above
ORDER BY f.tx_from, f.id

-- All versions of the facts whose words changed in some transactions.
-- name: facts_reworded_between
SELECT DISTINCT n.number, o.predicate, o.literal, o.words, o.evidence FROM fact f
JOIN fact_number n ON n.ws = f.ws AND n.fact = f.id
JOIN fact before ON before.ws = f.ws AND before.id = f.id AND before.tx_to = f.tx_from AND @reworded(before)
JOIN fact o ON o.ws = f.ws AND o.id = f.id AND o.tx_from <= :until
WHERE f.ws = :ws AND f.tx_from > :upto AND f.tx_from <= :until AND f.is_alias = 0

-- Whether another version of the fact f says something else.
-- fragment: reworded
($.predicate <> f.predicate OR $.literal IS DISTINCT FROM f.literal
  OR $.words IS DISTINCT FROM f.words OR $.evidence IS DISTINCT FROM f.evidence)

-- Whether it is indexed by other words, too; most facts have one version, which no row has to be read for.
-- fragment: was_reworded
(EXISTS (SELECT 1 FROM fact o WHERE o.ws = f.ws AND o.id = f.id AND o.tx_from < f.tx_from AND @reworded(o))
  OR f.tx_to <= :upto AND EXISTS (SELECT 1 FROM fact o
    WHERE o.ws = f.ws AND o.id = f.id AND o.tx_from >= f.tx_to AND o.tx_from <= :upto AND @reworded(o)))

-- name: fact_numbers_drop
DELETE FROM fact_number WHERE ws = :ws

-- name: indexed_drop
DELETE FROM indexed WHERE ws = :ws AND part = :part

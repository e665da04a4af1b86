-- name: facts_begun_until
SELECT MAX(tx_from) FROM (
  SELECT tx_from FROM fact WHERE ws = :ws AND tx_from > :upto ORDER BY tx_from LIMIT :limit) AS next

-- name: facts_begun_between
SELECT id, predicate, literal, words, evidence FROM fact
WHERE ws = :ws AND tx_from > :upto AND tx_from <= :until AND is_alias = 0 ORDER BY tx_from, id

-- name: fact_numbers
SELECT fact, number FROM fact_number WHERE ws = :ws AND fact IN_LIST(:facts)

-- name: fact_number_add
INSERT INTO fact_number (ws, fact) VALUES (:ws, :fact) ON CONFLICT DO NOTHING

-- name: fact_numbers_drop
DELETE FROM fact_number WHERE ws = :ws

-- name: indexed_drop
DELETE FROM indexed WHERE ws = :ws AND part = :part

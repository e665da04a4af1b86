-- name: fact_number_last
SELECT COALESCE(MAX(number), 0) FROM fact_number WHERE ws = :ws

-- name: fact_words_add
INSERT INTO fact_word (ws, number, words) VALUES (:ws, :number, CAST(:words AS TSVECTOR)) ON CONFLICT DO NOTHING

-- name: fact_words_drop
DELETE FROM fact_word WHERE ws = :ws

-- name: fact_words_counted
SELECT COUNT(*) FROM (
  SELECT 1 FROM fact_word WHERE words @@ CAST(:matching AS TSQUERY) AND ws = :ws LIMIT :limit) AS counted

-- A fact with a version since then is counted by its words of now.
-- name: fact_words_standing
SELECT COUNT(*) FROM (
  SELECT number FROM fact_word WHERE words @@ CAST(:matching AS TSQUERY) AND ws = :ws LIMIT :limit) AS w
JOIN fact_number n ON n.ws = :ws AND n.number = w.number
JOIN fact f ON f.ws = :ws AND f.id = n.fact AND @fact_known
WHERE f.tx_from <= :upto AND f.certainty <> 'retracted'

-- name: fact_words_held
SELECT number FROM fact_word WHERE words @@ CAST(:matching AS TSQUERY) AND ws = :ws

-- Words that many facts hold are looked for in the newest facts, one after the other: all places of such words take long
-- to read and to sort. By the words if they are rarer, or do not stand together often enough. The planner cannot tell: it
-- takes a word that it has no statistics of for one that every two-hundredth fact holds.
-- name: facts_holding_all
WITH newest AS MATERIALIZED (
  SELECT number FROM (SELECT number, words FROM fact_word WHERE ws = :ws ORDER BY number DESC LIMIT :newest) f
  WHERE words @@ CAST(:matching AS TSQUERY) AND :many = 1 ORDER BY number DESC LIMIT :limit
), held AS MATERIALIZED (
  SELECT number FROM fact_word
  WHERE ws = :ws AND words @@ CAST(:matching AS TSQUERY) AND (SELECT COUNT(*) FROM newest) < :limit
)
SELECT n.fact FROM (SELECT number FROM newest UNION SELECT number FROM held) w
JOIN fact_number n ON n.ws = :ws AND n.number = w.number
ORDER BY w.number DESC LIMIT :limit

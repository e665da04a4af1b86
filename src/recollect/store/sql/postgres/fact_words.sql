-- name: fact_words_add
INSERT INTO fact_word (ws, number, words) VALUES (:ws, :number, CAST(:words AS TSVECTOR)) ON CONFLICT DO NOTHING

-- name: fact_words_drop
DELETE FROM fact_word WHERE ws = :ws

-- name: fact_words_counted
SELECT COUNT(*) FROM (
  SELECT 1 FROM fact_word WHERE words @@ CAST(:matching AS TSQUERY) AND ws = :ws LIMIT :limit) AS counted

-- name: facts_holding_all
SELECT n.fact FROM fact_word w JOIN fact_number n ON n.ws = w.ws AND n.number = w.number
WHERE w.ws = :ws AND w.words @@ CAST(:matching AS TSQUERY) ORDER BY w.number DESC LIMIT :limit

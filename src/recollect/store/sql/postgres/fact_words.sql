-- name: fact_number_last
SELECT COALESCE(MAX(number), 0) FROM fact_number WHERE ws = :ws

-- name: fact_words_add
INSERT INTO fact_word (ws, number, words) VALUES (:ws, :number, CAST(:words AS TSVECTOR))
ON CONFLICT (ws, number) DO UPDATE SET words = EXCLUDED.words

-- name: fact_words_drop
DELETE FROM fact_word WHERE ws = :ws

-- name: fact_words_counted
@count_holding(fact_word)

-- How many facts hold a word, and how many of them once said something else. A fact with a version since then is
-- counted by its words of now.
-- name: fact_words_standing
SELECT COUNT(*), COUNT(*) FILTER (WHERE @was_reworded)
@facts_standing_with_words

-- name: fact_words_reworded
SELECT f.predicate, f.literal, f.words, f.evidence
@facts_standing_with_words
  AND @was_reworded

-- fragment: facts_standing_with_words
FROM (
  SELECT number FROM fact_word WHERE words @@ CAST(:matching AS TSQUERY) AND ws = :ws LIMIT :limit) AS w
JOIN fact_number n ON n.ws = :ws AND n.number = w.number
JOIN fact f ON f.ws = :ws AND f.id = n.fact AND @known(f) WHERE f.tx_from <= :upto AND f.certainty <> 'retracted'

-- name: fact_words_indexed
SELECT 1 FROM fact_word WHERE words @@ CAST(:matching AS TSQUERY) AND ws = :ws LIMIT (SELECT 1)

-- name: fact_words_held
SELECT number FROM fact_word WHERE words @@ CAST(:matching AS TSQUERY) AND ws = :ws

-- name: facts_containing_all
@newest_holding(fact_word)
SELECT n.fact FROM (SELECT number FROM newest UNION SELECT number FROM held) w
JOIN fact_number n ON n.ws = :ws AND n.number = w.number
ORDER BY w.number DESC LIMIT :limit

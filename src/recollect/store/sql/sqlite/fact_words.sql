-- The numbers of all workspaces are one row.
-- name: fact_number_last
SELECT COALESCE(MAX(number), 0) FROM fact_number

-- name: fact_words_add
INSERT OR REPLACE INTO fact_word (rowid, words) VALUES (:number, :words)

-- name: fact_words_drop
DELETE FROM fact_word WHERE rowid IN (SELECT number FROM fact_number WHERE ws = :ws)

-- name: fact_words_counted
SELECT COUNT(*) FROM (SELECT rowid FROM fact_word WHERE fact_word MATCH :matching LIMIT :limit)

-- How many facts hold a word, and how many of them once said something else. A fact with a version since then is
-- counted by its words of now.
-- name: fact_words_standing
SELECT COUNT(*), COALESCE(SUM(@was_reworded), 0)
@facts_standing_with_words

-- name: fact_words_reworded
SELECT f.predicate, f.literal, f.words, f.evidence
@facts_standing_with_words
  AND @was_reworded

-- fragment: facts_standing_with_words
FROM (SELECT rowid AS number FROM fact_word WHERE fact_word MATCH :matching LIMIT :limit) w
CROSS JOIN fact_number n ON n.number = w.number
CROSS JOIN fact f ON f.ws = :ws AND f.id = n.fact AND @known(f) WHERE f.tx_from <= :upto AND f.certainty <> 'retracted'

-- name: facts_containing_all
SELECT n.fact FROM fact_word w CROSS JOIN fact_number n ON n.number = w.rowid
WHERE w.fact_word MATCH :matching ORDER BY w.rowid DESC LIMIT :limit

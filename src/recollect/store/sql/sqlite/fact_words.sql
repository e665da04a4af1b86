-- The numbers of all workspaces are one row.
-- name: fact_number_last
SELECT COALESCE(MAX(number), 0) FROM fact_number

-- name: fact_words_add
INSERT INTO fact_word (rowid, words) VALUES (:number, :words)

-- name: fact_words_drop
DELETE FROM fact_word WHERE rowid IN (SELECT number FROM fact_number WHERE ws = :ws)

-- name: fact_words_counted
SELECT COUNT(*) FROM (SELECT rowid FROM fact_word WHERE fact_word MATCH :matching LIMIT :limit)

-- A fact with a version since then is counted by its words of now.
-- name: fact_words_standing
SELECT COUNT(*) FROM (SELECT rowid AS number FROM fact_word WHERE fact_word MATCH :matching LIMIT :limit) w
CROSS JOIN fact_number n ON n.number = w.number
CROSS JOIN fact f ON f.ws = :ws AND f.id = n.fact AND @known(f) WHERE f.tx_from <= :upto AND f.certainty <> 'retracted'

-- name: facts_containing_all
SELECT n.fact FROM fact_word w CROSS JOIN fact_number n ON n.number = w.rowid
WHERE w.fact_word MATCH :matching ORDER BY w.rowid DESC LIMIT :limit

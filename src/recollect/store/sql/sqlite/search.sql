-- fragment: folio
(d.properties ->> 'folio')

-- name: words_add
INSERT INTO chunk_word (rowid, words) VALUES (:number, :words)

-- name: words_drop
DELETE FROM chunk_word WHERE rowid = :number

-- name: postings
SELECT w.doc, COUNT(*), c.stop - c.start
FROM chunk_word_place w CROSS JOIN chunk c ON c.number = w.doc CROSS JOIN document d ON d.ws = c.ws AND d.id = c.document
WHERE w.term = :word AND @wanted
GROUP BY w.doc ORDER BY w.doc DESC LIMIT :limit

-- Without a filter the document need not be looked at yet.
-- name: postings_open
SELECT w.doc, w.times, c.stop - c.start
FROM (SELECT doc, COUNT(*) AS times FROM chunk_word_place WHERE term = :word GROUP BY doc ORDER BY doc DESC LIMIT :limit) w
CROSS JOIN chunk c ON c.number = w.doc
WHERE c.tx_from <= :as_of_tx AND c.tx_to > :as_of_tx

-- The number of a passage as often as it holds the word, as one text: a row for each takes four times as long.
-- name: word_places
SELECT GROUP_CONCAT(doc) FROM chunk_word_place WHERE term = :word

-- name: words_counted
SELECT COUNT(*) FROM (SELECT rowid FROM chunk_word WHERE chunk_word MATCH :matching LIMIT :limit)

-- name: passages_containing_all_versions
SELECT rowid FROM chunk_word WHERE chunk_word MATCH :matching ORDER BY rowid DESC LIMIT :limit

-- Newest first, and no further than enough are found.
-- name: passages_containing_all
SELECT c.number FROM chunk_word w CROSS JOIN chunk c ON c.number = w.rowid
CROSS JOIN document d ON d.ws = c.ws AND d.id = c.document
WHERE w.chunk_word MATCH :matching AND @wanted ORDER BY w.rowid DESC LIMIT :limit

-- name: embedding_add
INSERT INTO embedding (ws, model, hash, vector) VALUES (:ws, :model, :hash, :vector) ON CONFLICT DO NOTHING

-- name: embeddings_after
SELECT number, hash, vector FROM embedding WHERE number > :upto AND number <= :last AND ws = :ws AND model = :model ORDER BY number

-- name: embeddings_last
SELECT COALESCE(MAX(number), 0) FROM embedding

-- name: vectors_of
SELECT c.number, e.vector FROM chunk c JOIN embedding e ON e.ws = c.ws AND e.hash = c.hash AND e.model = :model
WHERE c.ws = :ws AND c.number IN_LIST(:numbers)

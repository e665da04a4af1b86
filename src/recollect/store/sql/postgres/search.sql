-- fragment: folio
(CAST(d.properties AS JSONB) ->> 'folio')

-- name: words_add
INSERT INTO chunk_word (ws, number, words) VALUES (:ws, :number, CAST(:words AS TSVECTOR)) ON CONFLICT DO NOTHING

-- name: words_drop
DELETE FROM chunk_word WHERE ws = :ws AND number = :number

-- How often a passage holds a word follows from its rank, which costs a tenth of taking the passage's words apart.
-- name: postings
SELECT c.number, TS_RANK(w.words, CAST(:quoted AS TSQUERY)), c.stop - c.start
FROM chunk_word w JOIN chunk c ON c.ws = w.ws AND c.number = w.number
JOIN document d ON d.ws = c.ws AND d.id = c.document
WHERE w.ws = :ws AND w.words @@ CAST(:quoted AS TSQUERY) AND @wanted
ORDER BY c.number DESC LIMIT :limit

-- Without a filter the document need not be looked at yet.
-- name: postings_open
SELECT c.number, w.rank, c.stop - c.start
FROM (SELECT number, TS_RANK(words, CAST(:quoted AS TSQUERY)) AS rank FROM chunk_word
  WHERE words @@ CAST(:quoted AS TSQUERY) AND ws = :ws ORDER BY number DESC LIMIT :limit) w
JOIN chunk c ON c.ws = :ws AND c.number = w.number
WHERE c.tx_from <= :as_of_tx AND c.tx_to > :as_of_tx
ORDER BY c.number DESC

-- name: word_places
SELECT number, TS_RANK(words, CAST(:quoted AS TSQUERY)), 0 FROM chunk_word
WHERE words @@ CAST(:quoted AS TSQUERY) AND ws = :ws ORDER BY number

-- name: words_counted
SELECT COUNT(*) FROM (
  SELECT 1 FROM chunk_word WHERE words @@ CAST(:matching AS TSQUERY) AND ws = :ws LIMIT :limit) AS counted

-- name: words_held
SELECT number FROM chunk_word WHERE words @@ CAST(:matching AS TSQUERY) AND ws = :ws

-- name: holding_ever
SELECT number FROM chunk_word WHERE ws = :ws AND words @@ CAST(:matching AS TSQUERY) ORDER BY number DESC LIMIT :limit

-- name: holding_all
SELECT c.number FROM chunk_word w JOIN chunk c ON c.ws = w.ws AND c.number = w.number
JOIN document d ON d.ws = c.ws AND d.id = c.document
WHERE w.ws = :ws AND w.words @@ CAST(:matching AS TSQUERY) AND @wanted ORDER BY c.number DESC LIMIT :limit

-- name: embedding_add
INSERT INTO embedding (ws, model, hash, vector) VALUES (:ws, :model, :hash, CAST(:vector AS VECTOR)) ON CONFLICT DO NOTHING

-- name: nearest
SELECT c.number, 1 - (e.vector <=> CAST(:vector AS VECTOR))
FROM embedding e JOIN chunk c ON c.ws = e.ws AND c.hash = e.hash JOIN document d ON d.ws = c.ws AND d.id = c.document
WHERE e.ws = :ws AND e.model = :model AND @wanted
ORDER BY e.vector <=> CAST(:vector AS VECTOR), c.number LIMIT :limit

-- name: cosines
SELECT c.number, 1 - (e.vector <=> CAST(:vector AS VECTOR))
FROM chunk c JOIN embedding e ON e.ws = c.ws AND e.hash = c.hash AND e.model = :model
WHERE c.ws = :ws AND c.number IN_LIST(:numbers)

-- name: keyed_cosines
SELECT e.hash, 1 - (e.vector <=> CAST(:vector AS VECTOR)) FROM embedding e
WHERE e.ws = :ws AND e.model = :model AND e.hash IN_LIST(:hashes)

-- name: keys_nearest
SELECT e.hash, 1 - (e.vector <=> CAST(:vector AS VECTOR)) FROM embedding e
WHERE e.ws = :ws AND e.model = :model ORDER BY e.vector <=> CAST(:vector AS VECTOR), e.hash LIMIT :limit

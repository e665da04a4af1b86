-- fragment: folio
(CAST(d.properties AS JSONB) ->> 'folio')

-- Step by step: a plan that is made for any filter would read all passages, or all that hold a word.
-- fragment: newest_held
(SELECT * FROM held ORDER BY number DESC OFFSET 0) w

-- fragment: passage_of_word
CROSS JOIN LATERAL (
  SELECT p.ws, p.number, p.document, p.start, p.stop, p.tx_from, p.tx_to FROM chunk p
  WHERE p.ws = :ws AND p.number = w.number OFFSET 0
) c

-- fragment: document_of_passage
CROSS JOIN LATERAL (
  SELECT v.ws, v.id, v.kind, v.type, v.author, v.properties, v.source_at, v.tx_from, v.tx_to, v.deleted
  FROM document v WHERE v.ws = c.ws AND v.id = c.document OFFSET 0
) d

-- name: words_add
INSERT INTO chunk_word (ws, number, words) VALUES (:ws, :number, CAST(:words AS TSVECTOR)) ON CONFLICT DO NOTHING

-- name: words_drop
DELETE FROM chunk_word WHERE ws = :ws AND number = :number

-- fragment: with_ranked_holders
WITH held AS MATERIALIZED (
  SELECT number, TS_RANK(words, CAST(:quoted AS TSQUERY)) AS rank FROM chunk_word
  WHERE words @@ CAST(:quoted AS TSQUERY) AND ws = :ws
)

-- How often a passage holds a word follows from its rank, which costs a tenth of taking the passage's words apart.
-- By the words first, as in what follows: a plan that is made for any word reads the passages from the newest on.
-- name: postings
@with_ranked_holders
SELECT c.number, w.rank, c.stop - c.start FROM @newest_held @passage_of_word @document_of_passage
WHERE @wanted ORDER BY w.number DESC LIMIT :limit

-- Without a filter the document need not be looked at yet.
-- name: postings_open
@with_ranked_holders
SELECT c.number, w.rank, c.stop - c.start FROM (SELECT number, rank FROM held ORDER BY number DESC LIMIT :limit) w
JOIN chunk c ON c.ws = :ws AND c.number = w.number
WHERE c.tx_from <= :as_of_tx AND c.tx_to > :as_of_tx
ORDER BY c.number DESC

-- name: word_places
SELECT number, TS_RANK(words, CAST(:quoted AS TSQUERY)), 0 FROM chunk_word
WHERE words @@ CAST(:quoted AS TSQUERY) AND ws = :ws ORDER BY number

-- name: words_counted
@count_holding(chunk_word)

-- The bitmap of an index is made before its first row is read. The planner cannot know the limit, else it would look for
-- the first row in the table.
-- name: words_indexed
SELECT 1 FROM chunk_word WHERE words @@ CAST(:matching AS TSQUERY) AND ws = :ws LIMIT (SELECT 1)

-- name: words_held
SELECT number FROM chunk_word WHERE words @@ CAST(:matching AS TSQUERY) AND ws = :ws

-- Words that many rows of an index hold are looked for in the newest rows, one after the other: all places of such words
-- take long to read and to sort. By the words if they are rarer, or do not stand together often enough. The planner
-- cannot tell: it takes a word that it has no statistics of for one that every two-hundredth row holds.
-- fragment: newest_holding
WITH newest AS MATERIALIZED (
  SELECT number FROM (SELECT number, words FROM $ WHERE ws = :ws ORDER BY number DESC LIMIT :newest) p
  WHERE words @@ CAST(:matching AS TSQUERY) AND :many = 1 ORDER BY number DESC LIMIT :limit
), held AS MATERIALIZED (@held_words($))

-- fragment: held_words
SELECT number FROM $
WHERE ws = :ws AND words @@ CAST(:matching AS TSQUERY) AND (SELECT COUNT(*) FROM newest) < :limit

-- fragment: count_holding
SELECT COUNT(*) FROM (
  SELECT 1 FROM $ WHERE words @@ CAST(:matching AS TSQUERY) AND ws = :ws LIMIT :limit) AS counted

-- name: passages_containing_all_versions
@newest_holding(chunk_word)
SELECT number FROM newest UNION SELECT number FROM held ORDER BY number DESC LIMIT :limit

-- name: passages_containing_all
WITH newest AS MATERIALIZED (
  SELECT c.number FROM (SELECT number, words FROM chunk_word WHERE ws = :ws ORDER BY number DESC LIMIT :newest) w
  @passage_of_word @document_of_passage
  WHERE w.words @@ CAST(:matching AS TSQUERY) AND :many = 1 AND @wanted ORDER BY w.number DESC LIMIT :limit
), held AS MATERIALIZED (@held_words(chunk_word))
SELECT number FROM newest
UNION
(SELECT c.number FROM @newest_held @passage_of_word @document_of_passage
WHERE @wanted ORDER BY w.number DESC LIMIT :limit)
ORDER BY number DESC LIMIT :limit

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

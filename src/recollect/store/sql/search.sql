-- Filters act here, before anything is ranked. An empty list with its `any_` flag set asks for all.
-- fragment: wanted
c.ws = :ws AND c.tx_from <= :as_of_tx AND c.tx_to > :as_of_tx
AND d.tx_from <= :as_of_tx AND d.tx_to > :as_of_tx AND d.deleted IS NULL
AND (:any_kind = 1 OR d.kind IN_LIST(:kinds))
AND (:any_type = 1 OR d.type IN_LIST(:types))
AND (:any_author = 1 OR d.author IN_LIST(:authors))
AND (:any_folio = 1 OR @folio IN_LIST(:folios))
AND d.source_at >= :since AND d.source_at <= :until
AND (:any_artifact = 1 OR EXISTS (
  SELECT 1 FROM artifact x WHERE x.ws = d.ws AND x.document = d.id AND @known(x) AND @artifact_wanted))

-- name: indexed
SELECT upto, chunks, characters FROM indexed WHERE ws = :ws AND part = :part

-- upsert: indexed_put indexed part = upto chunks characters

-- name: chunks_after
SELECT number, hash, text, stop - start FROM chunk
WHERE ws = :ws AND number > :upto AND hash <> '' ORDER BY number LIMIT :limit

-- name: chunks_waiting
SELECT COUNT(*) FROM chunk WHERE ws = :ws AND number > :upto AND hash <> ''

-- name: passages_ended
SELECT COUNT(*), COALESCE(SUM(stop - start), 0) FROM chunk WHERE ws = :ws AND tx_to < @open AND number <= :upto

-- name: texts_standing
SELECT
  (SELECT COUNT(*) FROM chunk c WHERE c.ws = :ws AND @known(c)),
  (SELECT COUNT(*) FROM fact f WHERE f.ws = :ws AND @known(f) AND f.is_alias = 0 AND f.certainty <> 'retracted')

-- name: chunks_wanted
SELECT c.number, c.stop - c.start
FROM chunk c JOIN document d ON d.ws = c.ws AND d.id = c.document
WHERE @wanted ORDER BY c.number

-- name: chunks_found
SELECT c.number, c.document, c.seq, c.start, c.stop, c.text, d.kind, d.type, d.key, d.title, d.author, d.source_at
FROM chunk c JOIN document d ON d.ws = c.ws AND d.id = c.document
WHERE c.number IN_LIST(:numbers) AND @wanted ORDER BY c.number

-- name: chunks_beside
SELECT c.number,
  (SELECT p.number FROM chunk p WHERE p.ws = :ws AND p.number < c.number AND p.tx_from <= :as_of_tx AND p.tx_to > :as_of_tx
   ORDER BY p.number DESC LIMIT 1),
  (SELECT n.number FROM chunk n WHERE n.ws = :ws AND n.number > c.number AND n.tx_from <= :as_of_tx AND n.tx_to > :as_of_tx
   ORDER BY n.number LIMIT 1)
FROM chunk c WHERE c.ws = :ws AND c.number IN_LIST(:numbers) ORDER BY c.number

-- name: chunks_mentioning
SELECT c.number FROM chunk c JOIN mention m ON m.ws = c.ws AND m.document = c.document
WHERE c.ws = :ws AND c.number IN_LIST(:numbers) AND m.entity IN_LIST(:entities)
AND m.tx_from <= :as_of_tx AND m.tx_to > :as_of_tx
GROUP BY c.number ORDER BY c.number

-- name: author_from
SELECT MIN(author) FROM document WHERE ws = :ws AND author >= :low AND author < :high

-- name: embeddings_known
SELECT hash FROM embedding WHERE ws = :ws AND model = :model AND hash IN_LIST(:hashes)

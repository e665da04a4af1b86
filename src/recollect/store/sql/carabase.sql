-- Folios, commits, and documents as artifacts.

-- The transaction that first brought each document in.
-- name: documents_first
SELECT f.id, t.tx, t.at, t.surface, t.tool, t.actor, t.undoes FROM (
  SELECT d.id, MIN(d.tx_from) AS tx FROM document d WHERE d.ws = :ws AND d.id IN_LIST(:ids) GROUP BY d.id
) f JOIN tx t ON t.ws = :ws AND t.tx = f.tx

-- fragment: folio_columns
f.id, f.name, f.readme, f.tx_from

-- name: folios_named
SELECT @folio_columns FROM folio f WHERE f.ws = :ws AND f.folded = :folded AND @known(f)

-- name: folio_by_id
SELECT @folio_columns FROM folio f WHERE f.ws = :ws AND f.id = :id AND @known(f)

-- name: folios
SELECT @folio_columns FROM folio f WHERE f.ws = :ws AND @known(f) ORDER BY f.folded, f.id

-- name: commit_known
SELECT c.id, c.tx_from, c.committed_at, c.documents, c.facts, c.links FROM folio_commit c
WHERE c.ws = :ws AND c.folio = :folio AND c.identity = :identity AND @known(c)

-- name: commits_counted
SELECT COUNT(*) FROM folio_commit c WHERE c.ws = :ws AND c.folio = :folio AND @known(c)

-- name: entities_with_role
SELECT @entity_columns FROM entity e
WHERE e.ws = :ws AND @has_role AND @entity_live

-- Which artifacts are asked for; a part left out lets all through. The overlays say how a source is compared.
-- fragment: artifact_wanted
(:any_label = 1 OR x.kind IN_LIST(:labels))
AND (CAST(:in_folio AS TEXT) IS NULL OR COALESCE(x.folio, '') = :in_folio)
AND (:any_source_kind = 1 OR x.source_kind IN_LIST(:source_kinds))
AND (CAST(:source_low AS TEXT) IS NULL OR (@artifact_source >= :source_low AND @artifact_source <= :source_high))
AND x.last_at >= :first AND x.first_at <= :last
AND x.recorded_at >= :recorded_first AND x.recorded_at <= :recorded_last
AND (:tag_count = 0 OR :tag_count = (
  SELECT COUNT(DISTINCT t.tag) FROM artifact_tag t
  WHERE t.ws = x.ws AND t.document = x.document AND t.tag IN_LIST(:tags) AND @known(t)))

-- fragment: artifacts_listed
SELECT x.document, COUNT(*) OVER () FROM artifact x

-- fragment: artifacts_in_order
AND @known(x) AND @artifact_wanted ORDER BY x.last_at DESC, x.recorded_at DESC, x.document LIMIT :limit OFFSET :offset

-- name: artifacts_in_folio
@artifacts_listed WHERE x.ws = :ws AND x.folio = :in_folio @artifacts_in_order

-- name: artifacts_tagged
@artifacts_listed WHERE x.ws = :ws AND x.document IN (
  SELECT t.document FROM artifact_tag t WHERE t.ws = :ws AND t.tag = :rarest AND @known(t)
) @artifacts_in_order

-- name: artifacts_from
@artifacts_listed WHERE x.ws = :ws AND @artifact_source >= :source_low AND @artifact_source <= :source_high @artifacts_in_order

-- name: artifacts_of_kinds
@artifacts_listed WHERE x.ws = :ws AND x.kind IN_LIST(:labels) @artifacts_in_order

-- name: artifacts_dated
@artifacts_listed WHERE x.ws = :ws AND x.last_at >= :first @artifacts_in_order

-- name: artifacts_recorded
@artifacts_listed WHERE x.ws = :ws AND x.recorded_at >= :recorded_first AND x.recorded_at <= :recorded_last @artifacts_in_order

-- name: artifacts_among
@artifacts_listed WHERE x.ws = :ws AND x.document IN_LIST(:documents) @artifacts_in_order

-- name: folio_span
SELECT COUNT(*), MIN(x.first_at), MAX(x.last_at) FROM artifact x WHERE x.ws = :ws AND x.folio = :in_folio AND @known(x)

-- name: tag_counted
SELECT COUNT(*) FROM (
  SELECT t.document FROM artifact_tag t WHERE t.ws = :ws AND t.tag = :tag AND @known(t) LIMIT :limit) AS counted

-- What of the documents changed after one transaction and up to another.
-- name: documents_changed
SELECT id FROM document WHERE ws = :ws AND tx_from > :upto AND tx_from <= :until
UNION
SELECT id FROM document WHERE ws = :ws AND tx_to > :upto AND tx_to <= :until AND tx_to < @open

-- The last of each, not any: of a comparison with a number it does not know, PostgreSQL expects a third of all documents
-- and looks through them for the first.
-- name: documents_lagging
SELECT 1 WHERE (SELECT tx_from FROM document WHERE ws = :ws AND tx_from > :upto ORDER BY tx_from DESC LIMIT 1) IS NOT NULL
OR (
  SELECT tx_to FROM document WHERE ws = :ws AND tx_to > :upto AND tx_to < @open ORDER BY tx_to DESC LIMIT 1
) IS NOT NULL

-- name: document_versions_since
SELECT @document_columns, d.tx_to FROM document d WHERE d.ws = :ws AND d.id IN_LIST(:ids) AND d.tx_to > :upto

-- name: artifact_put
INSERT INTO artifact (ws, document, tx_from, tx_to, kind, source, folio, first_at, last_at, recorded_at, source_kind)
VALUES (:ws, :document, :tx_from, :tx_to, :kind, :source, :folio, :first_at, :last_at, :recorded_at, :source_kind)
ON CONFLICT (ws, document, tx_from) DO UPDATE SET tx_to = excluded.tx_to, kind = excluded.kind,
  source = excluded.source, folio = excluded.folio, first_at = excluded.first_at, last_at = excluded.last_at,
  source_kind = excluded.source_kind

-- upsert: artifact_tag_put artifact_tag tag document tx_from = tx_to

-- Edges at some entities, with as little of each as a walk needs; those that say only another name are none.
-- fragment: edge_columns
f.id, f.subject, f.object, f.predicate, f.label, f.confidence, f.source_kind, f.source_at, f.stale, f.from_lo, f.until_hi

-- fragment: edge_kept
f.is_alias = 0 AND f.certainty <> 'retracted' AND @known(f) AND (:every = 1 OR (@fact_current))
AND f.confidence >= :floor AND (:any_source_kind = 1 OR f.source_kind IN_LIST(:source_kinds))
AND (:any_predicate = 1 OR CAST(f.predicate AS TEXT) IN_LIST(:predicates))

-- fragment: is_live
EXISTS (SELECT 1 FROM entity o WHERE o.ws = :ws AND o.id = e.other AND @known(o) AND o.deleted IS NULL)

-- name: edges_at
SELECT e.id, e.subject, e.object, e.predicate, e.label, e.confidence, e.source_kind, e.source_at, e.stale, e.from_lo, e.until_hi
FROM (
  SELECT @edge_columns, f.object AS other FROM fact f
  WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND @edge_kept
    AND (:leaving = 1 OR CAST(f.predicate AS TEXT) IN_LIST(:both_ways))
  UNION ALL
  SELECT @edge_columns, f.subject FROM fact f
  WHERE f.ws = :ws AND f.object IN_LIST(:entities) AND f.object <> f.subject AND @edge_kept
    AND (:reaching = 1 OR CAST(f.predicate AS TEXT) IN_LIST(:both_ways))
) e
WHERE e.other IS NULL OR @is_live
ORDER BY e.confidence DESC, e.source_at DESC, e.id LIMIT :limit

-- name: edge_counts
SELECT e.entity, COUNT(*) FROM (
  SELECT f.subject AS entity, f.object AS other FROM fact f
  WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND f.is_alias = 0 AND @known(f) AND @fact_current
  UNION ALL
  SELECT f.object, f.subject FROM fact f
  WHERE f.ws = :ws AND f.object IN_LIST(:entities) AND f.object <> f.subject AND f.is_alias = 0 AND @known(f) AND @fact_current
) e
WHERE e.other IS NULL OR @is_live GROUP BY e.entity

-- When anything was last said of some entities, by a fact or by a document that names them.
-- name: entities_last_seen
SELECT e.entity, MAX(e.at) FROM (
  SELECT f.subject AS entity, f.source_at AS at FROM fact f
  WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND f.certainty <> 'retracted' AND @known(f)
  UNION ALL
  SELECT f.object, f.source_at FROM fact f
  WHERE f.ws = :ws AND f.object IN_LIST(:entities) AND f.certainty <> 'retracted' AND @known(f)
  UNION ALL
  SELECT m.entity, d.source_at FROM mention m
  JOIN document d ON d.ws = m.ws AND d.id = m.document AND @known(d) AND d.deleted IS NULL
  WHERE m.ws = :ws AND m.entity IN_LIST(:entities) AND @known(m)
) e GROUP BY e.entity

-- name: newest_of_documents
SELECT MAX(d.source_at) FROM document d WHERE d.ws = :ws AND d.id IN_LIST(:ids) AND @known(d) AND d.deleted IS NULL

-- Entities that documents name, or that a fact of theirs ends in.
-- name: entities_in_documents
SELECT m.document, m.entity FROM mention m WHERE m.ws = :ws AND m.document IN_LIST(:documents) AND @known(m)
UNION
SELECT a.document, f.subject FROM assertion a
JOIN fact f ON f.ws = a.ws AND f.id = a.fact AND @known(f) AND f.certainty <> 'retracted'
WHERE a.ws = :ws AND a.document IN_LIST(:documents) AND @known(a)
UNION
SELECT a.document, f.object FROM assertion a
JOIN fact f ON f.ws = a.ws AND f.id = a.fact AND @known(f) AND f.certainty <> 'retracted' AND f.object IS NOT NULL
WHERE a.ws = :ws AND a.document IN_LIST(:documents) AND @known(a)

-- name: documents_in_folio
SELECT x.document FROM artifact x WHERE x.ws = :ws AND x.folio = :folio AND @known(x)

-- name: chunk_owners
SELECT c.number, c.document, c.start, c.stop FROM chunk c JOIN document d ON d.ws = c.ws AND d.id = c.document
WHERE c.number IN_LIST(:numbers) AND @wanted ORDER BY c.number

-- The same documents in no order, to see whether they are few.
-- fragment: artifacts_few
SELECT x.document FROM artifact x

-- fragment: artifacts_up_to
AND @known(x) AND @artifact_wanted LIMIT :limit

-- name: few_in_folio
@artifacts_few WHERE x.ws = :ws AND x.folio = :in_folio @artifacts_up_to

-- name: few_tagged
@artifacts_few WHERE x.ws = :ws AND x.document IN (
  SELECT t.document FROM artifact_tag t WHERE t.ws = :ws AND t.tag = :rarest AND @known(t)
) @artifacts_up_to

-- name: few_from
@artifacts_few WHERE x.ws = :ws AND @artifact_source >= :source_low AND @artifact_source <= :source_high @artifacts_up_to

-- name: few_of_kinds
@artifacts_few WHERE x.ws = :ws AND x.kind IN_LIST(:labels) @artifacts_up_to

-- name: few_dated
@artifacts_few WHERE x.ws = :ws AND x.last_at >= :first @artifacts_up_to

-- name: passages_of
SELECT c.number, c.document, c.start, c.stop FROM chunk c
WHERE c.ws = :ws AND c.document IN_LIST(:documents) AND @known(c)

-- Tokens of names that hold a text, by a part that begins with it or with the rest of it; a slash marks every part.
-- name: tokens_with_part
SELECT v.token FROM token_variant v
WHERE v.ws = :ws AND v.variant LIKE '/%' AND @name_part >= :lo AND @name_part < :hi AND @token_holds
ORDER BY @name_part, v.token LIMIT :limit

-- A name that holds several of the words comes once, so that a limit counts names.
-- name: names_with_words
SELECT DISTINCT @name_columns FROM name_word w JOIN name n ON n.ws = w.ws AND n.key = w.key
WHERE w.ws = :ws AND w.token IN_LIST(:tokens) AND @spelled AND @known(n) ORDER BY n.key, n.entity, n.kind LIMIT :limit

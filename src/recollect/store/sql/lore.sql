-- Facts read as relations of a world in time. Probes of an end and a predicate have no order: the reader sorts.

-- fragment: relation_live
@known(f) AND f.certainty <> 'retracted' AND f.is_alias = 0 AND (f.stale = 0 OR :superseded = 1)

-- What may hold in a period by its stated bounds; the life rule only makes that less.
-- fragment: relation_near
(f.from_lo IS NULL OR f.from_lo <= :at_hi) AND (f.until_hi IS NULL OR f.until_hi >= :at_lo OR f.label <> 'AFFILIATED')

-- name: relations_of_subjects
SELECT @fact_columns FROM fact f
WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND @relation_live AND @relation_near

-- name: relations_of_objects
SELECT @fact_columns FROM fact f
WHERE f.ws = :ws AND f.object IN_LIST(:entities) AND @relation_live AND @relation_near

-- name: relations_of_subjects_named
SELECT @fact_columns FROM fact f
WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND f.predicate IN_LIST(:predicates) AND @relation_live
  AND @relation_near

-- name: relations_of_objects_named
SELECT @fact_columns FROM fact f
WHERE f.ws = :ws AND f.object IN_LIST(:entities) AND f.predicate IN_LIST(:predicates) AND @relation_live
  AND @relation_near

-- name: relations_in_slots
SELECT @fact_columns FROM fact f WHERE f.ws = :ws AND f.slot IN_LIST(:slots) AND @relation_live

-- name: relations_by_id
SELECT @fact_columns FROM fact f WHERE f.ws = :ws AND f.id IN_LIST(:ids) AND @relation_live

-- What each live assertion adds: how sure it is, how far its document is to be trusted, what to call its source.
-- name: relation_sources
SELECT a.fact, a.id, a.source_at, a.recorded_at, a.document, a.source_key, a.given, a.source_url, a.quote, a.surface, a.actor,
  a.confidence, a.certainty, a.valid_from, a.valid_until, d.kind, d.type, d.title, d.properties FROM assertion a
LEFT JOIN document d ON d.ws = a.ws AND d.id = a.document AND @known(d)
WHERE a.ws = :ws AND a.fact IN_LIST(:facts) AND @known(a)

-- name: relation_disputes
SELECT one, other, reason FROM dispute WHERE ws = :ws AND one IN_LIST(:facts) AND @row_known
UNION
SELECT one, other, reason FROM dispute WHERE ws = :ws AND other IN_LIST(:facts) AND @row_known

-- name: relation_used
SELECT 1 FROM fact f WHERE f.ws = :ws AND f.predicate = :predicate AND @known(f) LIMIT 1

-- Each stored predicate once, by jumping from one to the next in the index.
-- name: relations_used
WITH RECURSIVE p(name) AS (
  SELECT MIN(predicate) FROM fact WHERE ws = :ws
  UNION ALL
  SELECT (SELECT MIN(f.predicate) FROM fact f WHERE f.ws = :ws AND f.predicate > p.name) FROM p WHERE p.name IS NOT NULL
)
SELECT name FROM p WHERE name IS NOT NULL AND EXISTS (
  SELECT 1 FROM fact f WHERE f.ws = :ws AND f.predicate = p.name AND @known(f))
ORDER BY name

-- How many live relations each of these entities has, at either end.
-- name: relation_counts
SELECT f.subject, COUNT(*) FROM fact f WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND @relation_live GROUP BY f.subject
UNION ALL
SELECT f.object, COUNT(*) FROM fact f
WHERE f.ws = :ws AND f.object IN_LIST(:entities) AND f.subject <> f.object AND @relation_live GROUP BY f.object

-- name: relations_among
SELECT @fact_columns FROM fact f
WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND COALESCE(f.object, '') IN_LIST(:entities) AND @relation_live
  AND @relation_near

-- One relation of each entity, to tell it from its namesakes.
-- name: relation_first
SELECT f.subject, MIN(f.id) FROM fact f
WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND @relation_live GROUP BY f.subject
UNION ALL
SELECT f.object, MIN(f.id) FROM fact f
WHERE f.ws = :ws AND f.object IN_LIST(:entities) AND @relation_live GROUP BY f.object

-- Events that may meet a period: by a dated relation near it, or by one of several times that are at odds.
-- name: events_near
SELECT f.subject FROM fact f
WHERE f.ws = :ws AND f.predicate IN_LIST(:predicates) AND @known(f) AND f.certainty <> 'retracted' AND f.stale = 0
  AND (f.from_lo IS NOT NULL OR f.until_lo IS NOT NULL OR f.literal IS NOT NULL)
  AND (f.disputed = 1 OR ((f.from_lo IS NULL OR f.from_lo <= :at_hi) AND (f.until_hi IS NULL OR f.until_hi >= :at_lo)))

-- Events that only their own properties may date.
-- name: events_with_dates
SELECT e.id FROM entity e WHERE e.ws = :ws AND e.type IN_LIST(:types) AND @entity_live
  AND (e.properties LIKE '%"date"%' OR e.properties LIKE '%"start"%' OR e.properties LIKE '%"end"%')

-- The same where the place is stored first.
-- name: events_near_swapped
SELECT f.object FROM fact f
WHERE f.ws = :ws AND f.predicate IN_LIST(:predicates) AND @known(f) AND f.certainty <> 'retracted' AND f.stale = 0
  AND f.object IS NOT NULL

-- name: entities_unconfirmed
SELECT @entity_columns FROM entity e WHERE e.ws = :ws AND e.provisional = 1 AND @entity_live

-- A relation as a timeline tells it: with its other end and, where only one source says so, with that source.
-- fragment: happening_columns
f.id, f.predicate, f.subject, f.object, f.literal, f.label, f.valid_from, f.from_lo, f.from_hi,
f.valid_until, f.until_lo, f.until_hi, f.source_at, f.words, f.evidence, f.disputed, f.source_count,
e.name, e.type, e.properties, f.attributes, a.id, a.source_at, a.tx_from, a.document, a.source_key, a.given, a.source_url, a.quote,
a.surface, a.actor, a.confidence, a.certainty, a.valid_from, a.valid_until, d.kind, d.type, d.title, d.properties

-- fragment: happening_joins
LEFT JOIN assertion a ON a.ws = f.ws AND a.id = f.newest AND @known(a)
LEFT JOIN document d ON d.ws = a.ws AND d.id = a.document AND @known(d)

-- fragment: happening_live
@fact_live AND (:named = 0 OR f.predicate IN_LIST(:predicates))

-- fragment: happening_end
@known(e) AND e.deleted IS NULL

-- What may meet a period by its stated start and end; a deadline ends nothing.
-- fragment: happening_near
(f.from_lo IS NULL OR (f.from_lo <= :at_hi AND (
  f.until_hi IS NULL OR f.until_hi >= :at_lo OR f.label = 'ASSERTED')))

-- name: timeline_rows
SELECT @happening_columns FROM fact f
LEFT JOIN entity e ON e.ws = f.ws AND e.id = f.object AND @happening_end @happening_joins
WHERE f.ws = :ws AND f.subject = :entity AND @happening_live AND @happening_near AND (f.object IS NULL OR e.id IS NOT NULL)
UNION ALL
SELECT @happening_columns FROM fact f JOIN entity e ON e.ws = f.ws AND e.id = f.subject AND @happening_end @happening_joins
WHERE f.ws = :ws AND f.object = :entity AND f.subject <> f.object AND @happening_live AND @happening_near
LIMIT :most

-- The same of an entity with very many, in few columns, so that they can be put in order first.
-- name: timeline_rows_ranked
SELECT f.id, f.from_lo, f.until_hi, f.label, f.predicate FROM fact f
LEFT JOIN entity e ON e.ws = f.ws AND e.id = f.object AND @happening_end
WHERE f.ws = :ws AND f.subject = :entity AND @happening_live AND @happening_near AND (f.object IS NULL OR e.id IS NOT NULL)
UNION ALL
SELECT f.id, f.from_lo, f.until_hi, f.label, f.predicate FROM fact f
JOIN entity e ON e.ws = f.ws AND e.id = f.subject AND @happening_end
WHERE f.ws = :ws AND f.object = :entity AND f.subject <> f.object AND @happening_live AND @happening_near

-- name: timeline_rows_by_id
SELECT @happening_columns FROM fact f
LEFT JOIN entity e ON e.ws = f.ws AND e.id = CASE WHEN f.subject = :entity THEN f.object ELSE f.subject END
  AND @happening_end @happening_joins
WHERE f.ws = :ws AND f.id IN_LIST(:ids) AND @known(f)

-- Documents that a live relation of an entity comes from.
-- name: documents_behind
SELECT a.document FROM @told_facts
WHERE f.ws = :ws AND f.subject = :entity AND a.document IS NOT NULL AND @relation_live
UNION
SELECT a.document FROM @told_facts WHERE f.ws = :ws AND f.object = :entity AND a.document IS NOT NULL AND @relation_live

-- The first relations of an entity in order of their start, those without any date last; ranked on a few columns.
-- name: relations_in_order
WITH f AS (
  SELECT f.id, f.from_lo, f.until_hi FROM fact f WHERE f.ws = :ws AND f.subject = :entity AND @relation_live
  UNION ALL
  SELECT f.id, f.from_lo, f.until_hi FROM fact f
  WHERE f.ws = :ws AND f.object = :entity AND f.subject <> f.object AND @relation_live
)
SELECT f.id FROM f
ORDER BY CASE WHEN f.from_lo IS NULL AND f.until_hi IS NULL THEN 1 ELSE 0 END,
  COALESCE(f.from_lo, -9223372036854775807), COALESCE(f.until_hi, 9223372036854775807), f.id LIMIT :limit

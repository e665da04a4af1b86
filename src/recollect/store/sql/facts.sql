-- A version of a row that is known as of the view; the sign $ stands for the name that a query gives the table.
-- The plus keeps the engine from walking the index of what each transaction began.
-- fragment: known
+$.tx_from <= :as_of_tx AND $.tx_to > :as_of_tx

-- The same of the only table of a query, which needs no name.
-- fragment: row_known
+tx_from <= :as_of_tx AND tx_to > :as_of_tx

-- The end of a version that has none yet.
-- fragment: open
9223372036854775807

-- fragment: fact_columns
f.id, f.tx_from, f.subject, f.predicate, f.object, f.literal, f.label, f.fact_type, f.policy, f.slot, f.is_alias,
f.words, f.evidence, f.valid_from, f.from_lo, f.from_hi, f.from_grain, f.valid_until, f.until_lo, f.until_hi,
f.until_grain, f.begins, f.until_said_at, f.source_at, f.recorded_at, f.confirmed_at, f.confidence, f.certainty,
f.source_kind, f.stale, f.replaced_by, f.disputed, f.supersedes, f.attributes, f.newest, f.source_count

-- A fact is current when it is neither stale nor retracted and, if an affiliation, meets the period asked about.
-- fragment: fact_current
f.stale = 0 AND f.certainty <> 'retracted'
AND (f.label <> 'AFFILIATED'
  OR ((f.from_lo IS NULL OR f.from_lo <= :at_hi) AND (f.until_hi IS NULL OR f.until_hi >= :at_lo)))

-- A hidden fact is retracted and marked, so that not even a list of retracted facts shows it.
-- fragment: not_hidden
(f.certainty <> 'retracted' OR f.attributes NOT LIKE '%"hidden_since"%')

-- What is asked, doubted or hoped is kept as a stale fact with its modality; what somebody reported is not.
-- fragment: is_unasserted
(f.stale = 1 AND f.attributes LIKE '%"modality"%' AND f.attributes NOT LIKE '%"reported"%')

-- fragment: fact_wanted
@known(f) AND (
  (:every = 1 AND @not_hidden AND (:unasserted = 1 OR NOT @is_unasserted))
  OR (@fact_current AND (:any_closed = 0 OR NOT f.id IN_LIST(:closed)))
  OR (:unasserted = 1 AND @is_unasserted AND f.certainty <> 'retracted'))
AND (:aliases = 1 OR f.is_alias = 0) AND (:any_without = 0 OR NOT f.predicate IN_LIST(:without))
AND (CAST(:label AS TEXT) IS NULL OR f.label = :label)
AND (CAST(:fact_type AS TEXT) IS NULL OR f.fact_type = :fact_type)
AND (CAST(:since AS BIGINT) IS NULL OR f.source_at >= :since)
AND (CAST(:until AS BIGINT) IS NULL OR f.source_at <= :until)

-- What a reader is shown of a fact: its ends by name, both of them live, and its newest assertion.
-- fragment: seen_columns
@fact_columns, s.name, s.type, o.name, o.type, a.source_key, a.source_url, a.given, a.quote, a.extracted_by, a.surface,
a.tool, a.actor

-- fragment: seen_joins
JOIN entity s ON s.ws = f.ws AND s.id = f.subject AND @known(s) AND s.deleted IS NULL
LEFT JOIN entity o ON o.ws = f.ws AND o.id = f.object AND @known(o)
JOIN assertion a ON a.ws = f.ws AND a.id = f.newest AND a.tx_from = (
  SELECT MAX(b.tx_from) FROM assertion b WHERE b.ws = f.ws AND b.id = f.newest AND b.tx_from <= :as_of_tx)

-- fragment: seen_live
(f.object IS NULL OR (o.id IS NOT NULL AND o.deleted IS NULL))

-- fragment: with_facts_at_either_end
WITH f AS (
  SELECT f.ws, @fact_columns FROM fact f WHERE f.ws = :ws AND f.subject = :entity AND @fact_wanted
  UNION ALL
  SELECT f.ws, @fact_columns FROM fact f
  WHERE f.ws = :ws AND f.object = :entity AND f.subject <> :entity AND @fact_wanted
)

-- fragment: facts_at_either_end
@with_facts_at_either_end SELECT @seen_columns FROM f @seen_joins WHERE @seen_live

-- name: facts_about
@facts_at_either_end ORDER BY f.source_at DESC, f.recorded_at DESC, f.id DESC LIMIT :limit

-- name: facts_about_unordered
@facts_at_either_end LIMIT :limit + 1

-- name: facts_seen
SELECT @seen_columns FROM fact f @seen_joins WHERE f.ws = :ws AND f.id IN_LIST(:ids) AND @known(f) AND @seen_live
ORDER BY f.source_at DESC, f.recorded_at DESC, f.id DESC

-- name: facts_hidden
SELECT f.id FROM fact f WHERE f.ws = :ws AND f.id IN_LIST(:ids) AND @known(f) AND NOT @not_hidden

-- name: facts_of_hidden_entities
SELECT DISTINCT f.id FROM fact f
JOIN entity e ON e.ws = f.ws AND e.id IN (f.subject, f.object) AND @known(e)
WHERE f.ws = :ws AND f.id IN_LIST(:ids) AND @known(f) AND e.deleted = :reason

-- name: fact_by_id
SELECT @fact_columns FROM fact f WHERE f.ws = :ws AND f.id = :id AND @known(f)

-- name: fact_versions
SELECT @fact_columns FROM fact f WHERE f.ws = :ws AND f.id = :id ORDER BY f.tx_from

-- name: fact_version_spans
SELECT f.tx_from, f.tx_to FROM fact f WHERE f.ws = :ws AND f.id = :id ORDER BY f.tx_from

-- name: facts_in_slot
SELECT @fact_columns FROM fact f WHERE f.ws = :ws AND f.slot = :slot AND @known(f) LIMIT :limit

-- The facts of a long slot that a statement may confirm or affect, by indexes; `model/slot_reach.py` has the reasons.
-- name: facts_in_reach
SELECT @fact_columns FROM fact f WHERE f.ws = :ws AND f.slot = :slot AND f.tx_to = @open AND f.stale = 0
  AND f.policy IN ('supersede', 'dispute')
UNION ALL
SELECT @fact_columns FROM fact f WHERE f.ws = :ws AND f.slot = :slot AND f.tx_to = @open AND f.stale IN (0, 1)
  AND f.policy = 'accumulate' AND f.source_at BETWEEN :events_from AND :events_to
UNION ALL
SELECT @fact_columns FROM fact f WHERE f.ws = :ws AND f.tx_to = @open AND f.stale = 1 AND f.policy <> 'accumulate'
  AND (@slot_text) IN (CAST(CAST(:slot AS BIGINT) AS TEXT) || ':', CAST(CAST(:slot AS BIGINT) AS TEXT) || ':' || :text)

-- name: facts_superseding
SELECT @fact_columns FROM fact f WHERE f.ws = :ws AND f.supersedes IN_LIST(:ids) AND @known(f)

-- name: any_superseding
SELECT 1 FROM fact WHERE ws = :ws AND supersedes IS NOT NULL LIMIT 1

-- name: any_superseded
SELECT 1 FROM fact WHERE ws = :ws AND supersedes IN_LIST(:ids)
UNION ALL
SELECT 1 FROM retcon WHERE ws = :ws AND old IN_LIST(:ids)
LIMIT 1

-- name: superseded_facts
SELECT supersedes FROM fact WHERE ws = :ws AND supersedes IS NOT NULL
UNION
SELECT old FROM retcon WHERE ws = :ws
LIMIT :limit

-- name: facts_touching
SELECT @fact_columns FROM fact f WHERE f.ws = :ws AND f.subject = :entity AND @known(f)
UNION ALL
SELECT @fact_columns FROM fact f WHERE f.ws = :ws AND f.object = :entity AND f.subject <> :entity AND @known(f)

-- name: facts_of_subject_with
SELECT @fact_columns FROM fact f
WHERE f.ws = :ws AND f.subject = :entity AND f.predicate = :predicate AND @known(f) AND f.stale = 0
  AND f.certainty <> 'retracted' LIMIT :limit

-- name: facts_of_subject_ever_with
SELECT @fact_columns FROM fact f
WHERE f.ws = :ws AND f.subject = :entity AND f.predicate = :predicate AND @known(f) LIMIT :limit

-- name: facts_of_object_with
SELECT @fact_columns FROM fact f
WHERE f.ws = :ws AND f.object = :entity AND f.predicate = :predicate AND @known(f) AND f.stale = 0
  AND f.certainty <> 'retracted' LIMIT :limit

-- name: facts_first_using
SELECT f.id FROM fact f WHERE f.ws = :ws AND f.predicate = :predicate AND @known(f)
  AND NOT EXISTS (SELECT 1 FROM fact b WHERE b.ws = f.ws AND b.id = f.id AND b.tx_from <= :since)
LIMIT 1

-- name: facts_with_predicate
SELECT @fact_columns FROM fact f WHERE f.ws = :ws AND f.predicate = :predicate AND @known(f)

-- name: facts_worded
SELECT @fact_columns FROM fact f
WHERE f.ws = :ws AND f.subject = :subject AND f.label = :label AND f.fact_type = :fact_type
  AND (f.words = :words OR f.evidence = :words) AND @known(f)

-- name: facts_without_words
SELECT @fact_columns FROM fact f
WHERE f.ws = :ws AND f.subject = :subject AND f.label = :label AND f.fact_type = :fact_type
  AND f.words IS NULL AND f.evidence IS NULL AND @known(f)

-- name: neighbours
SELECT f.id, f.subject, f.object, f.label, f.fact_type, f.source_at FROM fact f
WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND f.object IS NOT NULL AND f.object <> f.subject AND @known(f) AND @fact_current
UNION ALL
SELECT f.id, f.subject, f.object, f.label, f.fact_type, f.source_at FROM fact f
WHERE f.ws = :ws AND f.object IN_LIST(:entities) AND f.object <> f.subject AND @known(f) AND @fact_current

-- name: disputes_of_fact
SELECT one, other, reason FROM dispute WHERE ws = :ws AND one = :fact AND @row_known
UNION ALL
SELECT one, other, reason FROM dispute WHERE ws = :ws AND other = :fact AND @row_known

-- name: disputes
SELECT one, other, reason FROM dispute WHERE ws = :ws AND @row_known ORDER BY one, other

-- name: disputes_of_entity
SELECT DISTINCT d.one, d.other, d.reason FROM fact f
JOIN dispute d ON d.ws = f.ws AND (d.one = f.id OR d.other = f.id) AND @known(d)
WHERE f.ws = :ws AND (f.subject = :entity OR f.object = :entity) AND @known(f) ORDER BY d.one, d.other

-- fragment: assertion_columns
a.id, a.tx_from, a.fact, a.document, a.source_key, a.source_url, a.given, a.quote, a.evidence, a.extracted_by, a.surface,
a.tool, a.actor, a.source_at, a.recorded_at, a.confidence, a.certainty, a.source_kind, a.valid_from, a.from_lo, a.from_hi,
a.from_grain, a.valid_until, a.until_lo, a.until_hi, a.until_grain, a.begins, a.attributes

-- fragment: told_facts
fact f JOIN assertion a ON a.ws = f.ws AND a.fact = f.id AND @known(a)

-- Where each assertion came from, also of those that were withdrawn since.
-- name: sources_ever
SELECT a.fact, a.tx_from, a.given, a.document, a.source_url, a.source_key FROM assertion a
WHERE a.ws = :ws AND a.fact IN_LIST(:facts) AND a.tx_from <= :as_of_tx ORDER BY a.source_at, a.id

-- name: assertions_of_fact
SELECT @assertion_columns FROM assertion a WHERE a.ws = :ws AND a.fact = :fact AND @known(a)

-- name: assertions_retracting
SELECT 1 FROM assertion a WHERE a.ws = :ws AND a.fact = :fact AND a.certainty = 'retracted' LIMIT 1

-- name: assertions_of_facts
SELECT @assertion_columns FROM assertion a WHERE a.ws = :ws AND a.fact IN_LIST(:facts) AND @known(a)

-- name: source_titles
SELECT a.fact, d.title, d.key FROM assertion a
JOIN document d ON d.ws = a.ws AND d.id = a.document AND @known(d)
WHERE a.ws = :ws AND a.id IN_LIST(:assertions) AND @known(a)

-- name: assertions_of_document
SELECT @assertion_columns FROM assertion a WHERE a.ws = :ws AND a.document = :document AND @known(a)

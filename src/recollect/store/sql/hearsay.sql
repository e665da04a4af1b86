-- fragment: told_columns
t.hearer, t.fact, t.encounter, t.document, t.teller, t.learned, t.learned_lo, t.learned_hi, t.learned_grain

-- name: told_to
SELECT @told_columns FROM told_of t WHERE t.ws = :ws AND t.hearer = :hearer AND @known(t)

-- name: told_about
SELECT @told_columns FROM told_of t WHERE t.ws = :ws AND t.fact = :fact AND @known(t)

-- name: told_at
SELECT @told_columns FROM told_of t WHERE t.ws = :ws AND t.encounter = :encounter AND @known(t)

-- name: told_in
SELECT @told_columns FROM told_of t WHERE t.ws = :ws AND t.document = :document AND @known(t)

-- name: told_by
SELECT @told_columns FROM told_of t WHERE t.ws = :ws AND t.teller = :teller AND @known(t)

-- name: told_ever
SELECT @told_columns FROM told_of t WHERE t.ws = :ws AND @known(t) ORDER BY t.hearer, t.fact, t.encounter

-- name: facts_superseding_further
SELECT r.old, @fact_columns FROM retcon r
JOIN fact f ON f.ws = r.ws AND f.id = r.fact AND @known(f) WHERE r.ws = :ws AND r.old IN_LIST(:ids) AND @known(r)

-- name: facts_superseded_further
SELECT old FROM retcon WHERE ws = :ws AND fact = :fact AND @row_known ORDER BY old

-- name: documents_titled
SELECT @document_columns FROM document d
WHERE d.ws = :ws AND d.title = :title AND substr(d.title, 1, 200) = substr(:title, 1, 200) AND d.kind = :kind
AND @known(d)

-- name: lore_documents_pending
SELECT d.id FROM document d
WHERE d.ws = :ws AND d.kind = 'lore_source' AND d.id > :after AND d.deleted IS NULL
AND @known(d) AND EXISTS (
  SELECT 1 FROM assertion a WHERE a.ws = d.ws AND a.document = d.id AND @known(a)
  AND a.attributes LIKE '%"time_pending"%')
ORDER BY d.id LIMIT :limit

-- name: encounters_with_text
SELECT @document_columns FROM document d
WHERE d.ws = :ws AND d.kind = 'encounter' AND d.content = :content AND @known(d)

-- name: facts_dated
SELECT @fact_columns FROM fact f
WHERE f.ws = :ws AND @known(f) AND (f.valid_from IS NOT NULL OR f.valid_until IS NOT NULL) ORDER BY f.id

-- name: assertions_dated
SELECT @assertion_columns FROM assertion a WHERE a.ws = :ws AND @known(a)
  AND (a.valid_from IS NOT NULL OR a.valid_until IS NOT NULL) ORDER BY a.id

-- name: definition_versions
SELECT value, tx_from, tx_to FROM definition WHERE ws = :ws AND kind = :kind AND slug = :slug ORDER BY tx_from

-- name: eras_ever
SELECT DISTINCT slug FROM definition WHERE ws = :ws AND kind = 'era'

-- name: entities_holding
SELECT e.id, e.properties FROM entity e WHERE e.ws = :ws AND @known(e) AND e.deleted IS NULL AND e.properties LIKE :part
ORDER BY e.id

-- name: documents_holding
SELECT d.title, d.properties FROM document d
WHERE d.ws = :ws AND @known(d) AND d.deleted IS NULL AND d.properties LIKE :part ORDER BY d.id

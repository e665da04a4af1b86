-- The consistency engine: findings, runs, rules and flags.

-- fragment: finding_columns
g.id, g.tx_from, g.tx_to, g.rule, g.category, g.severity, g.nodes, g.relations, g.message, g.details, g.detected_at,
g.resolved_at

-- name: findings_by_id
SELECT @finding_columns FROM finding g WHERE g.ws = :ws AND g.id IN_LIST(:ids) AND g.tx_to = @open

-- name: finding_latest
SELECT @finding_columns FROM finding g WHERE g.ws = :ws AND g.id = :id AND g.tx_from <= :as_of_tx
ORDER BY g.tx_from DESC LIMIT 1

-- name: findings_open_with
SELECT DISTINCT g.id, g.rule, g.tx_from, g.nodes, g.relations FROM finding_part p
JOIN finding g ON g.ws = p.ws AND g.id = p.finding AND g.tx_to = @open WHERE p.ws = :ws AND p.part IN_LIST(:parts)

-- name: findings_known_with
SELECT DISTINCT @finding_columns FROM finding_part p
JOIN finding g ON g.ws = p.ws AND g.id = p.finding AND @known(g) WHERE p.ws = :ws AND p.part IN_LIST(:parts)

-- name: findings_of_rule
SELECT @finding_columns FROM finding g WHERE g.ws = :ws AND g.rule = :rule AND g.tx_to = @open

-- name: findings_left
SELECT g.id, g.rule, g.tx_from FROM finding g
WHERE g.ws = :ws AND g.tx_to = @open AND g.checked < :marker AND NOT (g.rule IN_LIST(:except)) LIMIT :limit

-- What a list leaves out, before it is cut.
-- fragment: finding_wanted
(:severity = '' OR g.severity = :severity) AND (:detail = '' OR g.details LIKE :detail) AND (:flagged = 1 OR NOT EXISTS (
  SELECT 1 FROM review_flag r WHERE r.ws = g.ws AND r.node = g.id AND r.kind = 'violation' AND @known(r)))

-- What had been resolved by then, each as it last was.
-- fragment: finding_resolved
+g.tx_from <= :as_of_tx AND g.tx_to <= :as_of_tx AND NOT EXISTS (
  SELECT 1 FROM finding h WHERE h.ws = g.ws AND h.id = g.id AND h.tx_from > g.tx_from AND h.tx_from <= :as_of_tx)

-- fragment: finding_first
ORDER BY CASE g.severity WHEN 'error' THEN 0 ELSE 1 END, g.detected_at DESC, g.id LIMIT :limit

-- name: findings_open_in
SELECT @finding_columns, COUNT(*) OVER () FROM finding g
WHERE g.ws = :ws AND g.category IN_LIST(:chosen) AND @known(g) AND @finding_wanted @finding_first

-- name: findings_open_of
SELECT @finding_columns, COUNT(*) OVER () FROM finding g
WHERE g.ws = :ws AND g.rule IN_LIST(:chosen) AND @known(g) AND @finding_wanted @finding_first

-- name: findings_resolved_in
SELECT @finding_columns, COUNT(*) OVER () FROM finding g
WHERE g.ws = :ws AND g.category IN_LIST(:chosen) AND @finding_resolved AND @finding_wanted @finding_first

-- name: findings_resolved_of
SELECT @finding_columns, COUNT(*) OVER () FROM finding g
WHERE g.ws = :ws AND g.rule IN_LIST(:chosen) AND @finding_resolved AND @finding_wanted @finding_first

-- Every state of the findings that name a thing.
-- name: findings_with_part
SELECT DISTINCT @finding_columns FROM finding_part p
JOIN finding g ON g.ws = p.ws AND g.id = p.finding AND +g.tx_from <= :as_of_tx
WHERE p.ws = :ws AND p.part = :part

-- name: findings_counted
SELECT g.rule, g.category, g.severity, COUNT(*), COUNT(r.node) FROM finding g
LEFT JOIN review_flag r ON r.ws = g.ws AND r.node = g.id AND r.kind = 'violation' AND @known(r)
WHERE g.ws = :ws AND @known(g) GROUP BY g.rule, g.category, g.severity ORDER BY g.rule, g.category, g.severity

-- name: finding_open
INSERT INTO finding (ws, id, tx_from, tx_to, rule, category, severity, nodes, relations, message, details, detected_at,
  resolved_at, checked)
VALUES (:ws, :id, :tx, @open, :rule, :category, :severity, :nodes, :relations, :message, :details, :at, NULL,
  :checked)
ON CONFLICT (ws, id, tx_from) DO UPDATE SET tx_to = @open, severity = :severity, message = :message,
  details = :details, resolved_at = NULL, checked = :checked

-- What it said until then; another version goes on from there.
-- name: finding_version_end
UPDATE finding SET tx_to = :tx WHERE ws = :ws AND id = :id AND tx_to = @open

-- name: findings_checked
UPDATE finding SET checked = :checked WHERE ws = :ws AND id IN_LIST(:ids) AND tx_to = @open

-- name: finding_resolve
UPDATE finding SET tx_to = :tx, resolved_at = :at WHERE ws = :ws AND id = :id AND tx_to = @open

-- name: finding_part_add
INSERT INTO finding_part (ws, part, finding) VALUES (:ws, :part, :finding) ON CONFLICT DO NOTHING

-- name: check_run_add
INSERT INTO check_run (ws, id, kind, tx, value) VALUES (:ws, :id, :kind, :tx, :value)

-- name: check_run_latest
SELECT value FROM check_run WHERE ws = :ws AND tx <= :as_of_tx AND (kind <> 'incremental' OR :incremental = 1)
ORDER BY id DESC LIMIT 1

-- name: check_state
SELECT value FROM check_state WHERE ws = :ws AND key = :key

-- upsert: check_state_put check_state key = value

-- name: ontology_rules
SELECT id, tx_from, cypher, description, severity, enabled, min_confidence, deleted FROM ontology_rule
WHERE ws = :ws AND @row_known ORDER BY id

-- name: flags_of
SELECT node, kind, reason, flagged_by, flagged_at FROM review_flag
WHERE ws = :ws AND node IN_LIST(:nodes) AND @row_known

-- name: flags_of_kind
SELECT node, kind, reason, flagged_by, flagged_at FROM review_flag
WHERE ws = :ws AND kind = :kind AND @row_known ORDER BY flagged_at, node

-- Facts whatever their state: what stood before a change and what stands now.
-- name: check_facts
SELECT @fact_columns FROM fact f WHERE f.ws = :ws AND f.id IN_LIST(:ids) AND @known(f)

-- name: check_facts_of
SELECT @fact_columns FROM fact f WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND @known(f)
UNION ALL
SELECT @fact_columns FROM fact f WHERE f.ws = :ws AND f.object IN_LIST(:entities) AND @known(f)

-- name: check_disputed_of
SELECT @fact_columns FROM fact f WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND f.disputed = 1 AND @known(f)
UNION ALL
SELECT @fact_columns FROM fact f WHERE f.ws = :ws AND f.object IN_LIST(:entities) AND f.disputed = 1 AND @known(f)

-- name: check_facts_of_subjects
SELECT @fact_columns FROM fact f WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND @fact_live

-- What leads from these to another, for a look at the whole world: few columns of many rows.
-- name: check_links
SELECT f.subject, f.object, f.predicate FROM fact f
WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND f.predicate IN_LIST(:predicates) AND @fact_live
  AND f.object IS NOT NULL

-- How much begins at each of these, whatever its state.
-- name: check_sizes
SELECT f.subject, COUNT(*) FROM fact f WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND f.tx_to > :as_of_tx
GROUP BY f.subject

-- name: check_ids_after
SELECT e.id FROM entity e WHERE e.ws = :ws AND e.id > :after AND @entity_live ORDER BY e.id LIMIT :limit

-- name: check_beyond
SELECT e.id FROM entity e WHERE e.ws = :ws AND @entity_live ORDER BY e.id LIMIT 1 OFFSET :many

-- The entities among these that a live relation touches.
-- name: check_related
SELECT e.id FROM entity e WHERE e.ws = :ws AND e.id IN_LIST(:ids) AND @entity_live AND (
  EXISTS (
    SELECT 1 FROM fact f
    LEFT JOIN entity o ON o.ws = f.ws AND o.id = f.object AND @known(o)
    WHERE f.ws = e.ws AND f.subject = e.id AND @fact_live AND f.predicate <> 'told_of'
      AND (f.object IS NULL OR (o.id IS NOT NULL AND o.deleted IS NULL AND o.merged_into IS NULL)))
  OR EXISTS (
    SELECT 1 FROM fact f
    JOIN entity s ON s.ws = f.ws AND s.id = f.subject AND @known(s)
    WHERE f.ws = e.ws AND f.object = e.id AND @fact_live AND f.predicate <> 'told_of' AND s.deleted IS NULL
      AND s.merged_into IS NULL))

-- name: findings_of_rule_with
SELECT g.relations FROM finding_part p
JOIN finding g ON g.ws = p.ws AND g.id = p.finding AND g.tx_to = @open AND g.rule = :rule
WHERE p.ws = :ws AND p.part IN_LIST(:parts)

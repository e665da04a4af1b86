-- Items (commitments, requests, blockers, …) and the facts that may close them.

-- fragment: item_fact
f.ws, f.id, f.tx_from, f.predicate, f.literal, f.words, f.evidence, f.subject, f.object, f.source_at, f.newest,
f.until_hi, f.valid_until, f.supersedes, f.stale, f.replaced_by, f.attributes

-- The last columns are those of the fact that was declared to replace the item.
-- fragment: item_columns
f.id, f.predicate, f.literal, f.words, f.evidence, f.subject, s.type, s.name, f.object, o.type, o.name,
f.source_at, @newest_told, f.until_hi, f.valid_until, f.supersedes, f.stale, r.id, r.predicate, r.source_at,
r.tx_from, f.attributes

-- fragment: item_joins
@link_joins
LEFT JOIN fact r ON f.stale = 1 AND r.ws = f.ws AND r.id = f.replaced_by AND @known(r)

-- fragment: item_wanted
f.predicate IN_LIST(:predicates) AND f.label <> 'AFFILIATED' AND @known(f) AND f.certainty <> 'retracted'
AND (f.stale = 0 OR f.replaced_by IS NOT NULL)

-- Predicates are written out where an index is limited to them, or where a read of any entity asks.
-- fragment: item_predicates
('blocked_by', 'blocker', 'commitment', 'goal', 'pending_decision', 'promise', 'request')

-- fragment: closing_predicates
('cancellation', 'completion', 'decision', 'resolution', 'resolved_by')

-- fragment: may_be_closed
f.predicate IN @item_predicates AND f.label <> 'AFFILIATED' AND @known(f) AND f.certainty <> 'retracted' AND f.stale = 0

-- A closing fact that names an item by id closes that one, which is stale, and other spellings of it.
-- fragment: closes
c.predicate IN @closing_predicates AND @known(c)

-- name: items_standing_at
SELECT f.id, f.subject, f.object, f.attributes FROM fact f
WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND @may_be_closed
UNION
SELECT f.id, f.subject, f.object, f.attributes FROM fact f
WHERE f.ws = :ws AND f.object IN_LIST(:entities) AND @may_be_closed

-- name: any_closing
SELECT 1 WHERE EXISTS (SELECT 1 FROM fact c WHERE c.ws = :ws AND c.predicate IN @closing_predicates AND c.tx_to > :as_of_tx)

-- Whether a fact that may close an item shares an end or a thread with any of these. Nested, so that every engine starts
-- from the items.
-- name: items_closable
SELECT 1 WHERE (
  EXISTS (SELECT 1 FROM fact c WHERE c.ws = :ws AND c.subject IN_LIST(:ends) AND @closes)
  OR EXISTS (SELECT 1 FROM fact c WHERE c.ws = :ws AND c.object IN_LIST(:ends) AND @closes)
  OR EXISTS (SELECT 1 FROM fact c WHERE c.ws = :ws AND @closes AND c.id IN (
    SELECT b.fact FROM assertion b WHERE b.ws = :ws AND @known(b) AND b.document IN (
      SELECT d.id FROM document d WHERE d.ws = :ws AND @known(d)
        AND @thread IS NOT NULL AND @thread IN (
          SELECT @thread FROM document d WHERE d.ws = :ws AND @known(d) AND d.id IN (
            SELECT a.document FROM assertion a WHERE a.ws = :ws AND @known(a)
              AND a.fact IN_LIST(:items)))))))

-- name: item_facts_touching
WITH f AS (
  SELECT @item_fact FROM fact f WHERE f.ws = :ws AND f.subject IN_LIST(:entities) AND @item_wanted
  UNION
  SELECT @item_fact FROM fact f WHERE f.ws = :ws AND f.object IN_LIST(:entities) AND @item_wanted
)
SELECT @item_columns FROM f @item_joins WHERE @seen_live ORDER BY f.source_at, f.id

-- name: item_facts_with
SELECT @item_columns FROM fact f @item_joins WHERE f.ws = :ws AND @item_wanted AND @seen_live ORDER BY f.source_at, f.id

-- Items that were declared to be replaced by facts of some predicates.
-- name: item_facts_replaced
SELECT @item_columns FROM fact f @item_joins
WHERE f.ws = :ws AND f.stale = 1 AND r.predicate IN_LIST(:replacing) AND @item_wanted AND @seen_live
ORDER BY f.source_at, f.id

-- name: item_facts_by_id
SELECT @item_columns FROM fact f @item_joins
WHERE f.ws = :ws AND f.id IN_LIST(:ids) AND @item_wanted AND @seen_live ORDER BY f.source_at, f.id

-- The threads in which facts were stated.
-- name: fact_threads
SELECT DISTINCT a.fact, @thread FROM assertion a
JOIN document d ON d.ws = a.ws AND d.id = a.document AND @known(d)
WHERE a.ws = :ws AND a.fact IN_LIST(:facts) AND @known(a) AND @thread IS NOT NULL

-- name: facts_in_threads
SELECT DISTINCT a.fact FROM document d
JOIN assertion a ON a.ws = d.ws AND a.document = d.id AND @known(a)
WHERE d.ws = :ws AND @thread IN_LIST(:threads) AND @thread IS NOT NULL AND @known(d)

-- The items that stand now, in the words of the index of them.
-- fragment: item_stands
f.ws = :ws AND f.tx_to = @open AND f.stale = 0 AND @is_item
AND CAST(f.predicate AS TEXT) IN_LIST(:predicates) AND f.label <> 'AFFILIATED' AND f.certainty <> 'retracted'

-- name: item_facts_due
SELECT @item_columns FROM fact f @item_joins
WHERE @item_stands AND f.until_hi >= :after AND f.until_hi <= :until AND (f.until_hi > :after OR f.id > :after_id) AND @seen_live
ORDER BY f.until_hi, f.id LIMIT :limit

-- name: item_facts_without_due
SELECT @item_columns FROM fact f @item_joins
WHERE @item_stands AND f.until_hi IS NULL AND f.id > :after_id AND @seen_live ORDER BY f.id LIMIT :limit

-- The items that lasted until a day that is over.
-- name: item_facts_over
SELECT @item_columns FROM fact f @item_joins
WHERE @item_stands AND f.until_hi < :now AND f.attributes LIKE :lasting AND @seen_live ORDER BY f.source_at, f.id

-- name: item_facts_over_then
SELECT @item_columns FROM fact f @item_joins
WHERE f.ws = :ws AND f.predicate IN_LIST(:predicates) AND @may_be_closed AND f.until_hi < :now
AND f.attributes LIKE :lasting AND @seen_live ORDER BY f.source_at, f.id

-- The items that stood at an earlier moment, for which there is no index of their own.
-- name: item_facts_then
SELECT @item_columns FROM fact f @item_joins
WHERE f.ws = :ws AND CAST(f.predicate AS TEXT) IN_LIST(:predicates) AND @may_be_closed AND @seen_live
AND (f.until_hi IS NULL AND :dated = 0 OR f.until_hi <= :until)
ORDER BY CASE WHEN f.until_hi IS NULL THEN 1 ELSE 0 END, f.until_hi, f.id LIMIT :limit

-- fragment: entities_deleted
SELECT e.id FROM entity e WHERE e.ws = :ws AND e.deleted IS NOT NULL AND e.tx_to = @open

-- How many items stand, and how many of these are past their due date; in two parts, so that the index of items is read.
-- name: items_counted
WITH f AS (
  SELECT f.until_hi, f.subject, f.object FROM fact f WHERE @item_stands AND f.until_hi IS NULL AND :dated = 0
  UNION ALL
  SELECT f.until_hi, f.subject, f.object FROM fact f WHERE @item_stands AND f.until_hi >= :after AND f.until_hi <= :until
)
SELECT COUNT(*), COALESCE(SUM(CASE WHEN f.until_hi < :at_lo THEN 1 ELSE 0 END), 0) FROM f
WHERE NOT (f.subject IN (@entities_deleted)) AND NOT (COALESCE(f.object, '') IN (@entities_deleted))

-- name: documents_said_after
SELECT d.id FROM document d
WHERE d.ws = :ws AND d.source_at > :at AND d.kind IN ('record', 'conversation') AND d.tx_from <= :before
AND @known(d) AND d.deleted IS NULL ORDER BY d.source_at, d.id LIMIT :limit

-- name: mails_known_before
SELECT @document_columns FROM mention m JOIN document d ON d.ws = m.ws AND d.id = m.document
WHERE m.ws = :ws AND m.entity = :entity AND @known(m) AND @known(d) AND d.type = 'email' AND d.deleted IS NULL
AND EXISTS (SELECT 1 FROM document f WHERE f.ws = d.ws AND f.id = d.id AND f.tx_from < :before)
ORDER BY d.id LIMIT :limit

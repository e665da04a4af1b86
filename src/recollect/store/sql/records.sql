-- name: said_at
SELECT at FROM said WHERE ws = :ws AND entity = :entity AND key = :key

-- upsert: said_put said entity key = at

-- name: identity_key
SELECT key FROM record_identity WHERE ws = :ws AND type = :type AND value = :value

-- upsert: identity_add record_identity type value = key

-- name: awaited_add
INSERT INTO awaited (ws, word, document) VALUES (:ws, :word, :document) ON CONFLICT DO NOTHING

-- name: awaited_any
SELECT 1 FROM awaited WHERE ws = :ws LIMIT 1

-- name: awaiting
SELECT a.word, a.document, d.tx_from FROM awaited a
JOIN document d ON d.ws = a.ws AND d.id = a.document AND d.tx_to > :as_of_tx AND d.tx_from <= :as_of_tx
WHERE a.ws = :ws AND a.word IN_LIST(:words)
ORDER BY a.word, a.document

-- name: reading_to
SELECT tx FROM reading WHERE ws = :ws

-- upsert: reading_put reading = tx

-- name: names_begun
SELECT n.entity, n.kind, n.folded, n.type,
  EXISTS (SELECT 1 FROM entity e WHERE e.ws = n.ws AND e.id = n.entity AND e.tx_from < n.tx_from)
FROM name n
WHERE n.ws = :ws AND n.tx_from > :since AND n.tx_from <= :until AND n.tx_to > :as_of_tx
  AND n.kind IN ('name', 'alias') AND n.type IN_LIST(:types)
ORDER BY n.tx_from, n.entity, n.folded

-- name: awaiting_links
SELECT DISTINCT a.document FROM name n
JOIN awaited a ON a.ws = n.ws AND a.word = 'link ' || n.folded
WHERE n.ws = :ws AND n.tx_from > :since AND n.tx_from <= :as_of_tx AND n.tx_to > :as_of_tx
  AND n.kind IN ('name', 'alias')
ORDER BY a.document

-- COALESCE keeps the planner to the few facts of a person, off the many of a company.
-- name: affiliations_begun
SELECT f.id, f.subject, f.object FROM fact f
WHERE f.ws = :ws AND f.tx_from > :since AND f.tx_from <= :as_of_tx AND f.tx_to > :as_of_tx
  AND f.label = 'AFFILIATED' AND f.object IS NOT NULL AND f.certainty IN ('stated', 'verified') AND f.stale = 0
  AND (
    EXISTS (SELECT 1 FROM fact g WHERE g.ws = f.ws AND g.subject = f.subject AND g.tx_to > :as_of_tx
      AND COALESCE(g.object, '') = f.object AND g.predicate = 'employee' AND g.certainty = 'inferred')
    OR EXISTS (SELECT 1 FROM fact h WHERE h.ws = f.ws AND h.subject = f.object AND h.tx_to > :as_of_tx
      AND COALESCE(h.object, '') = f.subject AND h.predicate = 'employee' AND h.certainty = 'inferred')
  )
ORDER BY f.id

-- name: employers_suggested
SELECT 1 FROM fact f
WHERE f.ws = :ws AND f.predicate = 'employee' AND f.tx_to > :as_of_tx AND f.certainty = 'inferred'
  AND EXISTS (SELECT 1 FROM assertion a
    WHERE a.ws = f.ws AND a.fact = f.id AND a.tx_to > :as_of_tx AND a.extracted_by = 'rules')
LIMIT 1

-- name: affiliations_stated
SELECT @fact_columns FROM fact f WHERE f.ws = :ws AND f.subject = :entity AND f.object IS NOT NULL AND @known(f)
  AND f.label = 'AFFILIATED' AND f.certainty IN ('stated', 'verified') AND f.stale = 0
UNION ALL
SELECT @fact_columns FROM fact f WHERE f.ws = :ws AND f.object = :entity AND @known(f)
  AND f.label = 'AFFILIATED' AND f.certainty IN ('stated', 'verified') AND f.stale = 0

-- name: documents_asserting
SELECT DISTINCT a.document FROM assertion a
WHERE a.ws = :ws AND a.fact IN_LIST(:facts) AND @known(a) AND a.document IS NOT NULL AND a.extracted_by = 'rules'
ORDER BY a.document

-- name: issues_begun
SELECT d.key FROM document d
WHERE d.ws = :ws AND d.tx_from > :since AND d.tx_from <= :as_of_tx AND d.tx_to > :as_of_tx
  AND d.kind = 'record' AND d.type IN ('linear_issue', 'jira_issue', 'github_issue', 'github_pr')
ORDER BY d.key

-- name: records_all
SELECT d.id, d.key FROM document d WHERE d.ws = :ws AND d.kind = 'record' AND @known(d) ORDER BY d.key

-- name: awaited_between
SELECT word, document FROM awaited WHERE ws = :ws AND word >= :low AND word < :high ORDER BY word, document

-- name: awaited_drop
DELETE FROM awaited WHERE ws = :ws AND word = :word AND document = :document

-- name: awaiting_one
SELECT 1 FROM awaited WHERE ws = :ws AND word = :word AND document = :document

-- Runs before the documents themselves go, since queries of this kind run in the order of their names.
-- name: forget_in_all_record_identities
DELETE FROM record_identity WHERE ws = :ws
  AND key IN (SELECT d.key FROM document d WHERE d.ws = :ws AND d.kind = 'record' AND d.id IN_LIST(:ids))

-- name: mailbox_read
SELECT validity, uid FROM mailbox_read WHERE ws = :ws AND mailbox = :mailbox

-- name: mailboxes_below
SELECT mailbox, validity FROM mailbox_read WHERE ws = :ws AND substr(mailbox, 1, :length) = :prefix ORDER BY mailbox

-- upsert: mailbox_read_put mailbox_read mailbox = validity uid

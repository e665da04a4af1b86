-- name: audit_next
UPDATE audit_chain SET last_number = last_number + 1 WHERE id = 1
RETURNING last_number, last_hash

-- name: audit_add
INSERT INTO audit_entry (number, at, workspace, actor, client, surface, tool, outcome, ids, hash)
VALUES (:number, :at, :workspace, :actor, :client, :surface, :tool, :outcome, :ids, :hash)

-- name: audit_seal
UPDATE audit_chain SET last_hash = :hash WHERE id = 1

-- name: audit_chain
SELECT first_number, first_hash, last_number, last_hash FROM audit_chain WHERE id = 1

-- name: audit_entries
SELECT number, at, workspace, actor, client, surface, tool, outcome, ids, hash FROM audit_entry
WHERE number > :after ORDER BY number LIMIT :limit

-- name: audit_last_before
-- No entry behind one that is to be kept, whatever the clock said then; one from the future keeps nothing.
SELECT number, hash FROM audit_entry WHERE number < COALESCE(
  (SELECT number FROM audit_entry WHERE at >= :before AND at <= :now ORDER BY number LIMIT 1), 9223372036854775807)
ORDER BY number DESC LIMIT 1

-- name: audit_drop
DELETE FROM audit_entry WHERE number <= :number

-- name: audit_begin_after
UPDATE audit_chain SET first_number = :number, first_hash = :hash WHERE id = 1

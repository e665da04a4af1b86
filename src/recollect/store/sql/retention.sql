-- upsert: body_due_put body_due document = due_at

-- name: body_due_drop
DELETE FROM body_due WHERE ws = :ws AND document = :document

-- name: bodies_due
SELECT document FROM body_due WHERE ws = :ws AND due_at <= :now ORDER BY due_at, document LIMIT :limit

-- name: body_retention_of_account
SELECT retention_days FROM mesh_account
WHERE ws = :ws AND connector = :connector AND account = :account AND retention_days IS NOT NULL

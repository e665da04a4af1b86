-- name: manifest_of
SELECT value FROM manifest WHERE ws = :ws AND source = :source AND @row_known

-- name: manifests
SELECT source, value FROM manifest WHERE ws = :ws AND @row_known

-- name: measurement_one
SELECT value FROM measurement WHERE ws = :ws AND id = :id AND @row_known

-- name: measurement_gone
SELECT mark FROM measurement_mark WHERE ws = :ws AND id = :id

-- name: measurement_mark
INSERT INTO measurement_mark (ws, id, mark) VALUES (:ws, :id, :mark) ON CONFLICT DO NOTHING

-- name: measurements_between
SELECT at, account, category, value FROM measurement
WHERE ws = :ws AND source = :source AND metric = :metric AND at BETWEEN :lo AND :hi
  AND +tx_from <= :as_of_tx AND +tx_to > :as_of_tx

-- name: measurements_past
SELECT id, source, metric, at, account, category, value FROM measurement
WHERE ws = :ws AND source = :source AND metric = :metric AND at <= :until AND +tx_to = @open LIMIT :limit

-- name: measurement_erase
DELETE FROM measurement WHERE ws = :ws AND id = :id

-- name: measurements_ended_past
DELETE FROM measurement WHERE ws = :ws AND source = :source AND metric = :metric AND at <= :until

-- name: measured_ends
SELECT MIN(at), MAX(at) FROM measurement
WHERE ws = :ws AND source = :source AND metric = :metric AND +tx_from <= :as_of_tx AND +tx_to > :as_of_tx

-- name: measured_day
SELECT total, n, low, high FROM measured_day
WHERE ws = :ws AND source = :source AND metric = :metric AND day = :day AND account = :account AND category = :category

-- name: measured_days_between
SELECT day, account, category, total, n, low, high FROM measured_day
WHERE ws = :ws AND source = :source AND metric = :metric AND day BETWEEN :first AND :last

-- name: measured_day_ends
SELECT MIN(day), MAX(day) FROM measured_day WHERE ws = :ws AND source = :source AND metric = :metric

-- upsert: measured_day_put measured_day source metric day account category = total n low high


-- Transactions before which the clock was set back get the time of the latest one before them, so that what was known
-- at a moment never includes what was learned after it.
UPDATE tx SET at = latest.at
FROM (SELECT ws, tx, MAX(at) OVER (PARTITION BY ws ORDER BY tx) AS at FROM tx) AS latest
WHERE latest.ws = tx.ws AND latest.tx = tx.tx AND latest.at > tx.at;

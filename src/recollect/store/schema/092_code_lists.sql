-- A second bit per dimension, and for very large stores lists by the nearest centroid; blocks of earlier releases get
-- both in the background, up to `renewed`.
ALTER TABLE vector_coded ADD COLUMN renewed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE vector_coded ADD COLUMN centroids BLOB;
ALTER TABLE vector_code ADD COLUMN magnitudes BLOB;
ALTER TABLE vector_code ADD COLUMN lists BLOB;

-- What earlier releases stored is assessed again, in the background: how far its sources are trusted, and attacks in it.
INSERT INTO indexed (ws, part, upto, chunks, characters) SELECT ws, 'trust', 0, last_tx, 0 FROM workspace WHERE last_tx > 0;

-- Whether a text is that of a hidden document is asked at every `remember`; few documents are hidden.
CREATE INDEX document_hidden ON document (ws, content) WHERE deleted = 'hidden';

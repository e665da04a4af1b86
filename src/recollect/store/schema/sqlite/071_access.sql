CREATE TRIGGER audit_entry_unchanged BEFORE UPDATE ON audit_entry
BEGIN
  SELECT RAISE(ABORT, 'entries of the audit log do not change');
END;

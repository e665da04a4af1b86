CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'entries of the audit log do not change';
END $$;
CREATE TRIGGER audit_entry_unchanged BEFORE UPDATE ON audit_entry
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();

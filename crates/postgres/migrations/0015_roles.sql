-- Servers and operators are roles of their own. A server may change nothing of an account, and
-- endpoints of one account are registered one after the other: this locks the account for a role
-- that may not.

CREATE FUNCTION lock_account(wanted text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM 1 FROM public.accounts WHERE id = wanted FOR NO KEY UPDATE;
END
$$;

REVOKE EXECUTE ON FUNCTION lock_account(text) FROM PUBLIC;

-- Whether the money of an account is real, for good. Every account that is there was opened for the
-- sandbox.

ALTER TABLE accounts ADD COLUMN environment TEXT NOT NULL DEFAULT 'test'
    CONSTRAINT accounts_environment CHECK (environment IN ('test', 'live'));

CREATE TRIGGER accounts_no_other_environment BEFORE UPDATE OF environment ON accounts BEGIN
    SELECT RAISE(ABORT, 'the environment of an account never changes');
END;

-- The environment of each provider, for good. One that is not here belongs to the test environment.

CREATE TABLE provider_environments (
    provider TEXT NOT NULL CONSTRAINT provider_environments_once PRIMARY KEY,
    environment TEXT NOT NULL
        CONSTRAINT provider_environments_known CHECK (environment IN ('test', 'live'))
) STRICT, WITHOUT ROWID;

CREATE TRIGGER provider_environments_no_update BEFORE UPDATE ON provider_environments BEGIN
    SELECT RAISE(ABORT, 'provider_environments are append-only');
END;

CREATE TRIGGER provider_environments_no_delete BEFORE DELETE ON provider_environments BEGIN
    SELECT RAISE(ABORT, 'provider_environments are append-only');
END;

-- Whether the money of an account is real, for good. Every account that is there was opened for the
-- sandbox.

ALTER TABLE accounts
    ADD COLUMN environment text COLLATE "C" NOT NULL DEFAULT 'test',
    ADD CONSTRAINT accounts_environment CHECK (environment IN ('test', 'live'));

CREATE TRIGGER accounts_environment_immutable BEFORE UPDATE OF environment ON accounts
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE VIEW audit.accounts AS
SELECT id, name, status, currency, message_currency, environment FROM accounts;

-- The environment of each provider, for good. One that is not here belongs to the test environment.

CREATE TABLE provider_environments (
    provider text COLLATE "C" NOT NULL,
    environment text COLLATE "C" NOT NULL,
    CONSTRAINT provider_environments_once PRIMARY KEY (provider),
    CONSTRAINT provider_environments_known CHECK (environment IN ('test', 'live'))
);

CREATE TRIGGER provider_environments_append_only
BEFORE DELETE OR UPDATE OR TRUNCATE ON provider_environments
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A database of release 0.2.0 as `pg_dump --inserts --no-owner` writes it. It never changes: later
-- versions must open it as it is.

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

CREATE SCHEMA audit;

CREATE FUNCTION public.lock_account(wanted text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM 1 FROM public.accounts WHERE id = wanted FOR NO KEY UPDATE;
END
$$;

CREATE FUNCTION public.present_identity(OUT system_identifier bigint, OUT timeline integer, OUT database oid, OUT relation oid, OUT log_position bigint) RETURNS record
    LANGUAGE sql STABLE
    AS $$
    SELECT s.system_identifier,
        ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer,
        d.oid,
        'public.database_identity'::regclass::oid,
        (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint
    FROM pg_control_system() AS s, pg_database AS d
    WHERE d.datname = current_database()
$$;

CREATE FUNCTION public.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: it is append-only', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME;
END
$$;

SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE public.accounts (
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    status text NOT NULL,
    currency text NOT NULL,
    message_currency text NOT NULL,
    time_zone text NOT NULL,
    opened_at bigint NOT NULL,
    CONSTRAINT accounts_status CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text])))
);

CREATE VIEW audit.accounts AS
 SELECT accounts.id,
    accounts.name,
    accounts.status,
    accounts.currency,
    accounts.message_currency
   FROM public.accounts;

CREATE TABLE public.attempts_ended (
    account text NOT NULL COLLATE pg_catalog."C",
    transaction bigint NOT NULL,
    number smallint NOT NULL,
    state text NOT NULL,
    evidence text NOT NULL,
    provider_reference text NOT NULL,
    started_at bigint NOT NULL,
    ended_at bigint NOT NULL,
    contradicted_at bigint,
    taken_back_at bigint,
    CONSTRAINT attempts_ended_state CHECK ((state = ANY (ARRAY['delivered'::text, 'reversed'::text, 'disproven'::text])))
);

CREATE TABLE public.attempts_open (
    account text NOT NULL COLLATE pg_catalog."C",
    transaction bigint NOT NULL,
    number smallint NOT NULL,
    state text NOT NULL,
    provider_reference text NOT NULL,
    started_at bigint NOT NULL,
    due_at bigint,
    leased boolean DEFAULT false NOT NULL,
    instance bigint,
    CONSTRAINT attempts_open_state CHECK ((state = ANY (ARRAY['sending'::text, 'in_doubt'::text, 'review'::text])))
)
WITH (fillfactor='70');

CREATE VIEW audit.attempts AS
 SELECT ((attempts_open.account || '/'::text) || attempts_open.transaction) AS transaction_id,
    attempts_open.number,
    attempts_open.state,
    NULL::text AS evidence,
    attempts_open.provider_reference,
    attempts_open.started_at,
    NULL::bigint AS ended_at,
    NULL::bigint AS contradicted_at,
    NULL::bigint AS taken_back_at
   FROM public.attempts_open
UNION ALL
 SELECT ((attempts_ended.account || '/'::text) || attempts_ended.transaction) AS transaction_id,
    attempts_ended.number,
    attempts_ended.state,
    attempts_ended.evidence,
    attempts_ended.provider_reference,
    attempts_ended.started_at,
    attempts_ended.ended_at,
    attempts_ended.contradicted_at,
    attempts_ended.taken_back_at
   FROM public.attempts_ended;

CREATE TABLE public.events (
    account text NOT NULL COLLATE pg_catalog."C",
    transaction bigint NOT NULL,
    sequence integer NOT NULL,
    kind text NOT NULL,
    at bigint NOT NULL
);

CREATE VIEW audit.events AS
 SELECT ((events.account || '/'::text) || events.transaction) AS transaction_id,
    events.sequence,
    events.kind,
    events.at
   FROM public.events;

CREATE TABLE public.fundings (
    account text NOT NULL COLLATE pg_catalog."C",
    reference text NOT NULL COLLATE pg_catalog."C",
    currency text NOT NULL COLLATE pg_catalog."C",
    amount bigint NOT NULL,
    "position" bigint NOT NULL,
    at bigint NOT NULL
);

CREATE SEQUENCE public.transfers_id
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.transfers (
    account text NOT NULL COLLATE pg_catalog."C",
    transaction bigint NOT NULL,
    step smallint NOT NULL,
    part bigint NOT NULL,
    id bigint DEFAULT nextval('public.transfers_id'::regclass) NOT NULL,
    kind text NOT NULL,
    debit_kind text NOT NULL,
    debit_holder text COLLATE pg_catalog."C",
    credit_kind text NOT NULL,
    credit_holder text COLLATE pg_catalog."C",
    amount bigint NOT NULL,
    currency text NOT NULL COLLATE pg_catalog."C",
    narration text,
    at bigint NOT NULL,
    direction text COLLATE pg_catalog."C",
    "position" bigint,
    nth bigint,
    available_after bigint,
    CONSTRAINT transfers_amount CHECK ((amount > 0)),
    CONSTRAINT transfers_funding CHECK (((kind = ANY (ARRAY['fund'::text, 'settlement'::text, 'settlement_loss'::text])) = (transaction = 0))),
    CONSTRAINT transfers_legs CHECK (((debit_kind <> credit_kind) OR (debit_holder IS DISTINCT FROM credit_holder))),
    CONSTRAINT transfers_line CHECK ((((direction IS NULL) = ("position" IS NULL)) AND ((direction IS NULL) = (nth IS NULL)) AND ((direction IS NULL) = (available_after IS NULL)) AND (direction = ANY (ARRAY['debit'::text, 'credit'::text])))),
    CONSTRAINT transfers_part CHECK ((part =
CASE
    WHEN (kind = ANY (ARRAY['fund'::text, 'loss'::text, 'loss_reversal'::text, 'settlement'::text, 'settlement_loss'::text])) THEN id
    ELSE (0)::bigint
END)),
    CONSTRAINT transfers_step CHECK ((step =
CASE kind
    WHEN 'fund'::text THEN 0
    WHEN 'hold'::text THEN 1
    WHEN 'capture'::text THEN 2
    WHEN 'release'::text THEN 2
    WHEN 'margin'::text THEN 3
    WHEN 'charge'::text THEN 4
    WHEN 'vat'::text THEN 5
    WHEN 'levy'::text THEN 6
    WHEN 'reversal'::text THEN 7
    WHEN 'margin_reversal'::text THEN 8
    WHEN 'charge_reversal'::text THEN 9
    WHEN 'vat_reversal'::text THEN 10
    WHEN 'levy_reversal'::text THEN 11
    WHEN 'loss'::text THEN 12
    WHEN 'loss_reversal'::text THEN 13
    WHEN 'settlement'::text THEN 14
    WHEN 'settlement_loss'::text THEN 15
    ELSE '-1'::integer
END))
);

CREATE VIEW audit.fundings AS
 SELECT g.account,
    g.reference,
    f.id AS transfer_id,
    g.at
   FROM (public.fundings g
     LEFT JOIN public.transfers f ON (((f.account = g.account) AND (f.currency = g.currency) AND (f."position" = g."position") AND (f.kind = 'fund'::text) AND (f.amount = g.amount))));

CREATE TABLE public.transactions (
    account text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL,
    reference text NOT NULL COLLATE pg_catalog."C",
    idempotency_key text COLLATE pg_catalog."C",
    request_fingerprint bytea,
    service text NOT NULL,
    provider text NOT NULL,
    state text NOT NULL,
    currency text NOT NULL,
    amount bigint NOT NULL,
    price bigint NOT NULL,
    cost bigint NOT NULL,
    fee bigint NOT NULL,
    vat bigint NOT NULL,
    levy bigint NOT NULL,
    version integer NOT NULL,
    sequence integer NOT NULL,
    opened_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    purchase text NOT NULL,
    progress text NOT NULL,
    token text,
    CONSTRAINT transactions_price CHECK ((price > 0)),
    CONSTRAINT transactions_request_fingerprint CHECK (((idempotency_key IS NULL) = (request_fingerprint IS NULL))),
    CONSTRAINT transactions_state CHECK ((state = ANY (ARRAY['sending'::text, 'in_doubt'::text, 'review'::text, 'successful'::text, 'failed'::text, 'reversed'::text])))
)
WITH (fillfactor='55');

CREATE VIEW audit.transactions AS
 SELECT ((t.account || '/'::text) || t.number) AS id,
    t.number,
    t.account,
    t.reference,
    t.idempotency_key,
    t.request_fingerprint,
    t.service,
    t.provider,
    t.state,
    t.currency,
    t.amount,
    t.price,
    t.cost,
    t.fee,
    t.vat,
    t.levy,
    t.version,
    t.sequence,
    t.opened_at,
    t.updated_at,
    a.due_at
   FROM (public.transactions t
     LEFT JOIN public.attempts_open a ON (((a.account = t.account) AND (a.transaction = t.number))));

CREATE VIEW audit.transfers AS
 SELECT transfers.id,
        CASE
            WHEN (transfers.transaction <> 0) THEN ((transfers.account || '/'::text) || transfers.transaction)
            ELSE NULL::text
        END AS transaction_id,
    transfers.kind,
    transfers.debit_kind,
    transfers.debit_holder,
    transfers.credit_kind,
    transfers.credit_holder,
    transfers.amount,
    transfers.currency,
    transfers.narration,
    transfers.at,
        CASE
            WHEN (transfers."position" IS NOT NULL) THEN transfers.account
            ELSE NULL::text
        END AS account,
    transfers.direction,
    transfers."position",
    transfers.nth,
    transfers.available_after
   FROM public.transfers;

CREATE TABLE public.wallets (
    account text NOT NULL COLLATE pg_catalog."C",
    currency text NOT NULL COLLATE pg_catalog."C",
    available bigint NOT NULL,
    held bigint NOT NULL,
    debits bigint DEFAULT 0 NOT NULL,
    credits bigint DEFAULT 0 NOT NULL,
    low_balance_threshold bigint,
    CONSTRAINT wallets_available CHECK ((available >= 0)),
    CONSTRAINT wallets_held CHECK ((held >= 0)),
    CONSTRAINT wallets_low_balance_threshold CHECK ((low_balance_threshold > 0))
)
WITH (fillfactor='40');

CREATE VIEW audit.wallets AS
 SELECT wallets.account,
    wallets.currency,
    wallets.available,
    wallets.held,
    wallets.debits,
    wallets.credits
   FROM public.wallets;

CREATE TABLE public.api_keys (
    account text NOT NULL COLLATE pg_catalog."C",
    id bigint NOT NULL,
    hint text NOT NULL,
    hash bytea NOT NULL,
    created_at bigint NOT NULL,
    revoked_at bigint,
    CONSTRAINT api_keys_hash CHECK ((octet_length(hash) = 32))
);

CREATE TABLE public.database_identity (
    one boolean DEFAULT true NOT NULL,
    number integer NOT NULL,
    system_identifier bigint NOT NULL,
    timeline integer NOT NULL,
    database oid NOT NULL,
    relation oid NOT NULL,
    pepper bytea,
    suspended_since timestamp with time zone,
    suspended_reason text,
    suspension bigint DEFAULT 0 NOT NULL,
    clearance text DEFAULT 'journals'::text NOT NULL,
    CONSTRAINT database_identity_clearance CHECK ((clearance = ANY (ARRAY['journals'::text, 'person'::text, 'records'::text]))),
    CONSTRAINT database_identity_single CHECK (one),
    CONSTRAINT database_identity_suspended CHECK (((suspended_since IS NULL) = (suspended_reason IS NULL)))
);

CREATE TABLE public.dead_letters (
    provider text NOT NULL COLLATE pg_catalog."C",
    "position" bigint NOT NULL,
    reference text NOT NULL COLLATE pg_catalog."C",
    outcome text NOT NULL,
    reason text NOT NULL,
    first_seen_at bigint NOT NULL,
    tried_at bigint NOT NULL,
    tries integer NOT NULL,
    due_at bigint,
    resolved_at bigint,
    CONSTRAINT dead_letters_position CHECK (("position" >= 0)),
    CONSTRAINT dead_letters_stands CHECK ((num_nonnulls(due_at, resolved_at) = 1)),
    CONSTRAINT dead_letters_tries CHECK ((tries > 0))
)
WITH (fillfactor='70');

CREATE TABLE public.deliveries (
    account text NOT NULL COLLATE pg_catalog."C",
    endpoint bigint NOT NULL,
    number bigint NOT NULL,
    sequence integer NOT NULL,
    currency text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    topic text NOT NULL,
    at bigint NOT NULL,
    about bigint,
    state text,
    version integer,
    updated_at bigint,
    progress text,
    attempts integer DEFAULT 0 NOT NULL,
    due_at bigint,
    delivered_at bigint,
    parked_at bigint,
    shown text,
    replay_count integer DEFAULT 0 NOT NULL,
    answered_at bigint,
    answer text COLLATE pg_catalog."C",
    requested boolean DEFAULT false NOT NULL,
    CONSTRAINT deliveries_currency CHECK (((currency = ''::text) = (shown IS NULL))),
    CONSTRAINT deliveries_requested CHECK (((NOT requested) OR (due_at IS NOT NULL))),
    CONSTRAINT deliveries_shown CHECK ((num_nulls(state, version, updated_at, progress) =
CASE sequence
    WHEN 0 THEN 4
    ELSE 0
END)),
    CONSTRAINT deliveries_shown_alone CHECK (((shown IS NULL) OR ((sequence = 0) AND (about IS NULL)))),
    CONSTRAINT deliveries_stands CHECK ((num_nonnulls(due_at, delivered_at, parked_at) = 1))
)
WITH (fillfactor='70');

CREATE TABLE public.delivery_attempts (
    account text NOT NULL COLLATE pg_catalog."C",
    endpoint bigint NOT NULL,
    number bigint NOT NULL,
    sequence integer NOT NULL,
    currency text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    id bigint NOT NULL,
    at bigint NOT NULL,
    took bigint NOT NULL,
    status integer,
    retry_after bigint,
    failure text,
    CONSTRAINT delivery_attempts_result CHECK (((status IS NULL) = (failure IS NOT NULL)))
);

ALTER TABLE public.delivery_attempts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.delivery_attempts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE UNLOGGED TABLE public.delivery_leases (
    account text NOT NULL COLLATE pg_catalog."C",
    endpoint bigint NOT NULL,
    number bigint NOT NULL,
    sequence integer NOT NULL,
    currency text NOT NULL COLLATE pg_catalog."C",
    round integer NOT NULL,
    until bigint NOT NULL
);

CREATE TABLE public.endpoints (
    account text NOT NULL COLLATE pg_catalog."C",
    id bigint NOT NULL,
    target text NOT NULL,
    topics text,
    description text NOT NULL,
    with_tokens boolean NOT NULL,
    secret_version bigint NOT NULL,
    rotated_at bigint,
    rotated_before bigint,
    disabled_at bigint,
    disabled_reason text,
    created_at bigint NOT NULL,
    failing_since bigint,
    removed_at bigint,
    CONSTRAINT endpoints_disabled CHECK ((((disabled_at IS NULL) = (disabled_reason IS NULL)) AND (disabled_reason = ANY (ARRAY['merchant'::text, 'gone'::text, 'failing'::text])))),
    CONSTRAINT endpoints_removed_is_disabled CHECK (((removed_at IS NULL) OR (disabled_at IS NOT NULL)))
)
WITH (fillfactor='70');

CREATE TABLE public.instances (
    slot smallint NOT NULL,
    token bigint,
    seen_at timestamp with time zone,
    prices text COLLATE pg_catalog."C",
    CONSTRAINT instances_range CHECK (((slot >= 0) AND (slot <= 63)))
)
WITH (fillfactor='20');

CREATE SEQUENCE public.instances_token
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.journals (
    id text NOT NULL COLLATE pg_catalog."C",
    registered_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    ended_at timestamp with time zone,
    compared bigint,
    missing bigint DEFAULT 0 NOT NULL
);

CREATE TABLE public.operator_log (
    number bigint NOT NULL,
    at bigint NOT NULL,
    actor text NOT NULL COLLATE pg_catalog."C",
    act text NOT NULL COLLATE pg_catalog."C",
    account text NOT NULL COLLATE pg_catalog."C",
    reference text NOT NULL COLLATE pg_catalog."C",
    amount bigint,
    currency text COLLATE pg_catalog."C",
    detail text NOT NULL COLLATE pg_catalog."C",
    approves bigint,
    previous bytea NOT NULL,
    signature bytea NOT NULL,
    CONSTRAINT operator_log_amount CHECK (((amount IS NULL) = (currency IS NULL))),
    CONSTRAINT operator_log_from_one CHECK ((number > 0)),
    CONSTRAINT operator_log_previous CHECK ((octet_length(previous) = 32)),
    CONSTRAINT operator_log_signature CHECK ((octet_length(signature) =
CASE actor
    WHEN 'program'::text THEN 0
    ELSE 64
END))
);

CREATE TABLE public.provider_cursors (
    provider text NOT NULL COLLATE pg_catalog."C",
    "position" bigint NOT NULL,
    read_at bigint NOT NULL,
    CONSTRAINT provider_cursors_position CHECK (("position" >= 0))
)
WITH (fillfactor='70');

CREATE TABLE public.reconciliations (
    number integer NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    acknowledged_by text NOT NULL,
    provider text NOT NULL,
    compared bigint NOT NULL,
    missing text[] NOT NULL
);

CREATE TABLE public.schema_versions (
    version integer NOT NULL,
    name text NOT NULL,
    checksum bytea NOT NULL,
    migrated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE public.senders (
    serial text NOT NULL COLLATE pg_catalog."C",
    account text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL,
    requested_at bigint NOT NULL,
    decided_at bigint,
    CONSTRAINT senders_status CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text])))
);

CREATE TABLE public.unsettled_references (
    provider_reference text NOT NULL COLLATE pg_catalog."C",
    provider text NOT NULL,
    account text NOT NULL COLLATE pg_catalog."C",
    reference text NOT NULL COLLATE pg_catalog."C",
    noted_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    settled_at timestamp with time zone,
    settled_by text,
    settlement text,
    amount bigint,
    currency text COLLATE pg_catalog."C",
    CONSTRAINT unsettled_amount CHECK ((amount >= 0)),
    CONSTRAINT unsettled_booked CHECK ((((amount IS NOT NULL) = ((settlement IS NOT NULL) AND (settlement = ANY (ARRAY['charged'::text, 'absorbed'::text])))) AND ((amount IS NULL) = (currency IS NULL)))),
    CONSTRAINT unsettled_settled CHECK ((((settled_at IS NULL) = (settled_by IS NULL)) AND ((settled_at IS NULL) = (settlement IS NULL)))),
    CONSTRAINT unsettled_settlement CHECK ((settlement = ANY (ARRAY['charged'::text, 'absorbed'::text, 'not_delivered'::text, 'reopened'::text])))
);

INSERT INTO public.accounts VALUES ('shop', 'shop', 'active', 'NGN', 'NGN', 'Africa/Lagos', 1768467600000);

INSERT INTO public.api_keys VALUES ('shop', 1, 'mk_test_K001', '\x0101010101010101010101010101010101010101010101010101010101010101', 1768467601000, NULL);

INSERT INTO public.attempts_ended VALUES ('shop', 1, 1, 'delivered', 'answered', 'shop.order-1.1', 1768467600000, 1768467600000, NULL, NULL);
INSERT INTO public.attempts_ended VALUES ('shop', 3, 1, 'disproven', 'refused', 'shop.order-3.1', 1768467600000, 1768467600000, NULL, NULL);

INSERT INTO public.attempts_open VALUES ('shop', 4, 1, 'sending', 'shop.order-4.1', 1768467600000, 1768467660000, false, NULL);

INSERT INTO public.database_identity VALUES (true, 1, 7711354238382985583, 1, 16719, 16947, NULL, NULL, NULL, 0, 'journals');

INSERT INTO public.events VALUES ('shop', 1, 1, 'opened', 1768467600000);
INSERT INTO public.events VALUES ('shop', 3, 1, 'opened', 1768467600000);
INSERT INTO public.events VALUES ('shop', 4, 1, 'opened', 1768467600000);
INSERT INTO public.events VALUES ('shop', 1, 2, 'successful', 1768467600000);
INSERT INTO public.events VALUES ('shop', 3, 2, 'failed', 1768467600000);

INSERT INTO public.fundings VALUES ('shop', 'opening-balance', 'NGN', 500, 1, 1768467600000);
INSERT INTO public.fundings VALUES ('shop', 'slip-1', 'NGN', 10000, 2, 1768467600000);

INSERT INTO public.instances VALUES (0, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (1, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (2, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (3, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (4, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (5, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (6, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (7, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (8, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (9, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (10, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (11, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (12, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (13, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (14, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (15, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (16, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (17, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (18, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (19, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (20, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (21, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (22, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (23, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (24, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (25, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (26, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (27, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (28, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (29, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (30, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (31, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (32, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (33, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (34, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (35, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (36, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (37, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (38, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (39, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (40, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (41, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (42, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (43, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (44, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (45, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (46, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (47, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (48, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (49, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (50, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (51, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (52, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (53, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (54, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (55, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (56, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (57, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (58, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (59, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (60, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (61, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (62, NULL, NULL, NULL);
INSERT INTO public.instances VALUES (63, NULL, NULL, NULL);

INSERT INTO public.schema_versions VALUES (1, 'baseline', '\xd4881425ea0d3569ee8d7aba296a16dec64a265f765e74bf3e54b8c1e9afcfae', '2026-11-23 13:15:02.547519+00');

INSERT INTO public.transactions VALUES ('shop', 4, 'order-4', NULL, NULL, 'airtime', 'sandbox', 'sending', 'NGN', 100, 100, 100, 0, 0, 0, 1, 1, 1768467600000, 1768467600000, '{"v":1,"order":{"airtime":{"number":"2348031234567","country":566,"network_code":"mtn","network_brandname":"MTN","billing":"prepaid","amount":[100,"NGN"]}},"quote":{"amount":[100,"NGN"],"commission":[0,"NGN"],"fee":[0,"NGN"],"price":[100,"NGN"],"cost":[100,"NGN"],"rule":"catalogue:airtime.test"}}', '{"v":1,"state":{"sending":{"attempt":1,"started_at":1768467600000}},"earlier":[]}', NULL);
INSERT INTO public.transactions VALUES ('shop', 1, 'order-1', NULL, NULL, 'airtime', 'sandbox', 'successful', 'NGN', 100, 100, 100, 0, 0, 0, 2, 2, 1768467600000, 1768467600000, '{"v":1,"order":{"airtime":{"number":"2348031234567","country":566,"network_code":"mtn","network_brandname":"MTN","billing":"prepaid","amount":[100,"NGN"]}},"quote":{"amount":[100,"NGN"],"commission":[0,"NGN"],"fee":[0,"NGN"],"price":[100,"NGN"],"cost":[100,"NGN"],"rule":"catalogue:airtime.test"}}', '{"v":1,"state":{"successful":{"attempt":1,"fulfilment":"airtime","evidence":"answered","at":1768467600000}},"earlier":[]}', NULL);
INSERT INTO public.transactions VALUES ('shop', 3, 'order-3', NULL, NULL, 'airtime', 'sandbox', 'failed', 'NGN', 100, 100, 100, 0, 0, 0, 2, 2, 1768467600000, 1768467600000, '{"v":1,"order":{"airtime":{"number":"2348031234567","country":566,"network_code":"mtn","network_brandname":"MTN","billing":"prepaid","amount":[100,"NGN"]}},"quote":{"amount":[100,"NGN"],"commission":[0,"NGN"],"fee":[0,"NGN"],"price":[100,"NGN"],"cost":[100,"NGN"],"rule":"catalogue:airtime.test"}}', '{"v":1,"state":{"failed":{"attempt":1,"proof":{"refused":{"code":"R01","reason":"Refused by the network"}},"at":1768467600000,"contradicted_at":null,"taken_back_at":null}},"earlier":[]}', NULL);

INSERT INTO public.transfers VALUES ('shop', 0, 0, 1, 1, 'fund', 'funding', NULL, 'available', 'shop', 500, 'NGN', 'Paid in: opening-balance', 1768467600000, 'credit', 1, 1, 500);
INSERT INTO public.transfers VALUES ('shop', 0, 0, 2, 2, 'fund', 'funding', NULL, 'available', 'shop', 10000, 'NGN', 'Paid in: slip-1', 1768467600000, 'credit', 2, 2, 10500);
INSERT INTO public.transfers VALUES ('shop', 1, 1, 0, 3, 'hold', 'available', 'shop', 'held', 'shop', 100, 'NGN', 'Airtime MTN 2348031234567', 1768467600000, 'debit', 3, 1, 10400);
INSERT INTO public.transfers VALUES ('shop', 3, 1, 0, 4, 'hold', 'available', 'shop', 'held', 'shop', 100, 'NGN', 'Airtime MTN 2348031234567', 1768467600000, 'debit', 4, 2, 10300);
INSERT INTO public.transfers VALUES ('shop', 4, 1, 0, 5, 'hold', 'available', 'shop', 'held', 'shop', 100, 'NGN', 'Airtime MTN 2348031234567', 1768467600000, 'debit', 5, 3, 10200);
INSERT INTO public.transfers VALUES ('shop', 1, 2, 0, 6, 'capture', 'held', 'shop', 'float', 'sandbox', 100, 'NGN', NULL, 1768467600000, NULL, NULL, NULL, NULL);
INSERT INTO public.transfers VALUES ('shop', 3, 2, 0, 7, 'release', 'held', 'shop', 'available', 'shop', 100, 'NGN', 'Released: Airtime MTN 2348031234567', 1768467600000, 'credit', 6, 3, 10300);

INSERT INTO public.wallets VALUES ('shop', 'CRD', 0, 0, 0, 0, NULL);
INSERT INTO public.wallets VALUES ('shop', 'NGN', 10300, 100, 3, 3, NULL);

SELECT pg_catalog.setval('public.delivery_attempts_id_seq', 1, false);

SELECT pg_catalog.setval('public.instances_token', 1, false);

SELECT pg_catalog.setval('public.transfers_id', 7, true);

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_identity PRIMARY KEY (id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_id PRIMARY KEY (account, id);

ALTER TABLE ONLY public.attempts_ended
    ADD CONSTRAINT attempts_ended_number PRIMARY KEY (account, transaction, number);

ALTER TABLE ONLY public.attempts_open
    ADD CONSTRAINT attempts_open_once PRIMARY KEY (account, transaction);

ALTER TABLE ONLY public.database_identity
    ADD CONSTRAINT database_identity_one PRIMARY KEY (one);

ALTER TABLE ONLY public.dead_letters
    ADD CONSTRAINT dead_letters_change PRIMARY KEY (provider, "position", reference);

ALTER TABLE ONLY public.delivery_leases
    ADD CONSTRAINT delivery_leases_once PRIMARY KEY (account, endpoint, number, sequence, currency);

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_once PRIMARY KEY (account, endpoint, number, sequence, currency);

ALTER TABLE ONLY public.delivery_attempts
    ADD CONSTRAINT delivery_attempts_id PRIMARY KEY (account, endpoint, number, sequence, currency, id);

ALTER TABLE ONLY public.endpoints
    ADD CONSTRAINT endpoints_number PRIMARY KEY (account, id);

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_sequence PRIMARY KEY (account, transaction, sequence);

ALTER TABLE ONLY public.fundings
    ADD CONSTRAINT fundings_position UNIQUE (account, currency, "position");

ALTER TABLE ONLY public.fundings
    ADD CONSTRAINT fundings_reference PRIMARY KEY (account, reference);

ALTER TABLE ONLY public.instances
    ADD CONSTRAINT instances_slot PRIMARY KEY (slot);

ALTER TABLE ONLY public.journals
    ADD CONSTRAINT journals_id PRIMARY KEY (id);

ALTER TABLE ONLY public.operator_log
    ADD CONSTRAINT operator_log_number PRIMARY KEY (number);

ALTER TABLE ONLY public.provider_cursors
    ADD CONSTRAINT provider_cursors_provider PRIMARY KEY (provider);

ALTER TABLE ONLY public.reconciliations
    ADD CONSTRAINT reconciliations_number PRIMARY KEY (number, provider);

ALTER TABLE ONLY public.schema_versions
    ADD CONSTRAINT schema_versions_pkey PRIMARY KEY (version);

ALTER TABLE ONLY public.senders
    ADD CONSTRAINT senders_serial PRIMARY KEY (serial);

ALTER TABLE ONLY public.transactions
    ADD CONSTRAINT transactions_number PRIMARY KEY (account, number);

ALTER TABLE ONLY public.transfers
    ADD CONSTRAINT transfers_once PRIMARY KEY (account, transaction, step, part);

ALTER TABLE ONLY public.unsettled_references
    ADD CONSTRAINT unsettled_references_once PRIMARY KEY (provider_reference);

ALTER TABLE ONLY public.wallets
    ADD CONSTRAINT wallets_account PRIMARY KEY (account, currency);

CREATE INDEX attempts_open_due ON public.attempts_open USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX dead_letters_due ON public.dead_letters USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX deliveries_delivered ON public.deliveries USING btree (delivered_at) WHERE (delivered_at IS NOT NULL);

CREATE INDEX deliveries_due ON public.deliveries USING btree (account COLLATE ucs_basic, endpoint, requested DESC, due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX deliveries_listed ON public.deliveries USING btree (account COLLATE "POSIX", at);

CREATE INDEX deliveries_listed_to ON public.deliveries USING btree (account COLLATE "POSIX", endpoint, at) WHERE (at IS NOT NULL);

CREATE INDEX deliveries_next ON public.deliveries USING btree (requested, due_at) INCLUDE (account, endpoint) WHERE (due_at IS NOT NULL);

CREATE INDEX deliveries_parked ON public.deliveries USING btree (account COLLATE "POSIX", at) WHERE (parked_at IS NOT NULL);

CREATE INDEX deliveries_parked_to ON public.deliveries USING btree (account COLLATE "POSIX", endpoint, at) WHERE ((parked_at IS NOT NULL) AND (at IS NOT NULL));

CREATE INDEX endpoints_removed ON public.endpoints USING btree (removed_at) WHERE (removed_at IS NOT NULL);

CREATE INDEX operator_log_act ON public.operator_log USING btree (act, number);

CREATE UNIQUE INDEX senders_name ON public.senders USING btree (account, lower(name));

CREATE UNIQUE INDEX transactions_key ON public.transactions USING btree (account COLLATE ucs_basic, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE UNIQUE INDEX transactions_reference ON public.transactions USING btree (account COLLATE "POSIX", reference);

CREATE INDEX transactions_token ON public.transactions USING btree (opened_at) WHERE (token IS NOT NULL);

CREATE UNIQUE INDEX transfers_nth ON public.transfers USING btree (account COLLATE ucs_basic, currency, direction, nth) WHERE ("position" IS NOT NULL);

CREATE UNIQUE INDEX transfers_position ON public.transfers USING btree (account COLLATE "POSIX", currency, "position") WHERE ("position" IS NOT NULL);

CREATE INDEX unsettled_references_name ON public.unsettled_references USING btree (account, reference);

CREATE TRIGGER accounts_immutable BEFORE UPDATE OF id, currency, opened_at ON public.accounts FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER accounts_no_delete BEFORE DELETE OR TRUNCATE ON public.accounts FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER api_keys_immutable BEFORE UPDATE OF account, id, hint, hash, created_at ON public.api_keys FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER api_keys_no_delete BEFORE DELETE OR TRUNCATE ON public.api_keys FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER api_keys_revoked_once BEFORE UPDATE ON public.api_keys FOR EACH ROW WHEN ((old.revoked_at IS NOT NULL)) EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER attempts_ended_immutable BEFORE UPDATE OF account, transaction, number, provider_reference, started_at ON public.attempts_ended FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER attempts_ended_no_delete BEFORE DELETE OR TRUNCATE ON public.attempts_ended FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER attempts_open_immutable BEFORE UPDATE OF account, transaction ON public.attempts_open FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER attempts_open_no_delete BEFORE TRUNCATE ON public.attempts_open FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER database_identity_no_delete BEFORE DELETE OR TRUNCATE ON public.database_identity FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER dead_letters_immutable BEFORE UPDATE OF provider, "position", reference, outcome, first_seen_at ON public.dead_letters FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER dead_letters_no_delete BEFORE DELETE OR TRUNCATE ON public.dead_letters FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER deliveries_immutable BEFORE UPDATE OF account, endpoint, number, sequence, currency, topic, at, about, state, version, updated_at, progress, shown ON public.deliveries FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER deliveries_no_delete BEFORE TRUNCATE ON public.deliveries FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER delivery_attempts_immutable BEFORE UPDATE OR TRUNCATE ON public.delivery_attempts FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER endpoints_immutable BEFORE UPDATE OF account, id, target, topics, description, with_tokens, created_at ON public.endpoints FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER endpoints_no_delete BEFORE TRUNCATE ON public.endpoints FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER events_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.events FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER fundings_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.fundings FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER instances_no_delete BEFORE DELETE OR TRUNCATE ON public.instances FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER operator_log_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.operator_log FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER reconciliations_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.reconciliations FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER senders_immutable BEFORE UPDATE OF serial, account, name, requested_at ON public.senders FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER senders_no_delete BEFORE DELETE OR TRUNCATE ON public.senders FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER transactions_immutable BEFORE UPDATE OF account, number, reference, idempotency_key, request_fingerprint, service, provider, currency, amount, price, cost, fee, vat, levy, opened_at, purchase ON public.transactions FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER transactions_no_delete BEFORE DELETE OR TRUNCATE ON public.transactions FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER transfers_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.transfers FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER unsettled_references_immutable BEFORE UPDATE OF provider_reference, provider, account, reference, noted_at ON public.unsettled_references FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER unsettled_references_no_delete BEFORE DELETE OR TRUNCATE ON public.unsettled_references FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER unsettled_references_settled_once BEFORE UPDATE ON public.unsettled_references FOR EACH ROW WHEN ((old.settled_at IS NOT NULL)) EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER wallets_immutable BEFORE UPDATE OF account, currency ON public.wallets FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER wallets_no_delete BEFORE DELETE OR TRUNCATE ON public.wallets FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_account_fkey FOREIGN KEY (account) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.endpoints
    ADD CONSTRAINT endpoints_account_fkey FOREIGN KEY (account) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.fundings
    ADD CONSTRAINT fundings_account_fkey FOREIGN KEY (account) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.operator_log
    ADD CONSTRAINT operator_log_approves_fkey FOREIGN KEY (approves) REFERENCES public.operator_log(number);

ALTER TABLE ONLY public.senders
    ADD CONSTRAINT senders_account_fkey FOREIGN KEY (account) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.wallets
    ADD CONSTRAINT wallets_account_fkey FOREIGN KEY (account) REFERENCES public.accounts(id);

REVOKE ALL ON FUNCTION public.lock_account(wanted text) FROM PUBLIC;

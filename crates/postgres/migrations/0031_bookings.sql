-- Services that customers of merchants book, and their appointments. What was paid for one is not here: it
-- is the sum of the payments of the checkout session under its account and number.

CREATE TABLE bookable_services (
    account text COLLATE "C" NOT NULL REFERENCES accounts (id),
    number bigint NOT NULL,
    reference text COLLATE "C" NOT NULL,
    terms text NOT NULL,
    version bigint NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT bookable_services_number PRIMARY KEY (account, number),
    CONSTRAINT bookable_services_reference UNIQUE (account, reference),
    CONSTRAINT bookable_services_drawn CHECK (number BETWEEN 1 AND 9007199254740991),
    CONSTRAINT bookable_services_version CHECK (version > 0)
);

CREATE INDEX bookable_services_created ON bookable_services (account, created_at, number);

CREATE TRIGGER bookable_services_immutable BEFORE UPDATE OF account, number, reference, created_at
    ON bookable_services
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER bookable_services_no_delete BEFORE DELETE OR TRUNCATE ON bookable_services
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION keep_bookable_service() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.version <> OLD.version + 1 THEN
        RAISE EXCEPTION 'a service is changed by its next version alone'
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER bookable_services_forward BEFORE UPDATE ON bookable_services
FOR EACH ROW EXECUTE FUNCTION keep_bookable_service();

CREATE TABLE appointments (
    account text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    reference text COLLATE "C" NOT NULL,
    service bigint NOT NULL,
    resource text COLLATE "C" NOT NULL,
    staff text,
    starts_at bigint NOT NULL,
    ends_at bigint NOT NULL,
    busy_until bigint NOT NULL,
    capacity bigint NOT NULL,
    moved_from bigint,
    customer text NOT NULL,
    price bigint NOT NULL,
    currency text COLLATE "C" NOT NULL,
    stage text COLLATE "C" NOT NULL,
    held_until bigint,
    reason text,
    version bigint NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT appointments_number PRIMARY KEY (account, number),
    CONSTRAINT appointments_reference UNIQUE (account, reference),
    CONSTRAINT appointments_service FOREIGN KEY (account, service)
        REFERENCES bookable_services (account, number),
    CONSTRAINT appointments_drawn CHECK (number BETWEEN 1 AND 9007199254740991),
    CONSTRAINT appointments_shared CHECK (capacity BETWEEN 1 AND 1000),
    CONSTRAINT appointments_price CHECK (price >= 0),
    CONSTRAINT appointments_stage CHECK (
        stage IN ('held', 'booked', 'cancelled', 'lapsed', 'completed', 'missed')
    ),
    CONSTRAINT appointments_version CHECK (version > 0),
    CONSTRAINT appointments_time CHECK (
        starts_at < ends_at AND ends_at <= busy_until AND busy_until - starts_at <= 172800000
    ),
    CONSTRAINT appointments_held CHECK (
        CASE stage WHEN 'booked' THEN held_until IS NULL
            WHEN 'held' THEN held_until IS NOT NULL
            WHEN 'lapsed' THEN held_until IS NOT NULL
            ELSE true END
    )
);

CREATE INDEX appointments_begin ON appointments (account, starts_at, number);

CREATE INDEX appointments_taken ON appointments (account, resource, starts_at)
WHERE stage IN ('held', 'booked');

CREATE TRIGGER appointments_immutable BEFORE UPDATE OF account, number, reference, service, customer,
    price, currency, held_until, created_at ON appointments
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER appointments_no_delete BEFORE DELETE OR TRUNCATE ON appointments
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION keep_appointment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.version <> OLD.version + 1 OR OLD.stage NOT IN ('held', 'booked')
        OR NEW.stage IN ('held', 'booked') AND NEW.stage <> OLD.stage
    THEN
        RAISE EXCEPTION 'an appointment ends once' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER appointments_forward BEFORE UPDATE ON appointments
FOR EACH ROW EXECUTE FUNCTION keep_appointment();

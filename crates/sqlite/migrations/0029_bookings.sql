-- Services that customers of merchants book, and their appointments. What was paid for one is not here: it
-- is the sum of the payments of the checkout session under its account and number.

CREATE TABLE bookable_services (
    account TEXT NOT NULL REFERENCES accounts (id),
    number INTEGER NOT NULL,
    reference TEXT NOT NULL,
    terms TEXT NOT NULL,
    version INTEGER NOT NULL CONSTRAINT bookable_services_version CHECK (version > 0),
    created_at INTEGER NOT NULL,
    CONSTRAINT bookable_services_number PRIMARY KEY (account, number),
    CONSTRAINT bookable_services_reference UNIQUE (account, reference),
    CONSTRAINT bookable_services_drawn CHECK (number BETWEEN 1 AND 9007199254740991)
) STRICT, WITHOUT ROWID;

CREATE INDEX bookable_services_created ON bookable_services (account, created_at, number);

CREATE TRIGGER bookable_services_forward BEFORE UPDATE ON bookable_services
WHEN NEW.version <> OLD.version + 1 OR NEW.account <> OLD.account OR NEW.number <> OLD.number
    OR NEW.reference <> OLD.reference OR NEW.created_at <> OLD.created_at
BEGIN
    SELECT RAISE(ABORT, 'a service is changed by its next version alone');
END;

CREATE TRIGGER bookable_services_no_delete BEFORE DELETE ON bookable_services BEGIN
    SELECT RAISE(ABORT, 'services are never deleted');
END;

CREATE TRIGGER bookable_services_no_replace BEFORE INSERT ON bookable_services
WHEN EXISTS (
    SELECT 1 FROM bookable_services
    WHERE account = NEW.account AND (number = NEW.number OR reference = NEW.reference)
) BEGIN
    SELECT RAISE(ABORT, 'services are never replaced');
END;

CREATE TABLE appointments (
    account TEXT NOT NULL,
    number INTEGER NOT NULL,
    reference TEXT NOT NULL,
    service INTEGER NOT NULL,
    resource TEXT NOT NULL,
    staff TEXT,
    starts_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    busy_until INTEGER NOT NULL,
    capacity INTEGER NOT NULL CONSTRAINT appointments_shared CHECK (capacity BETWEEN 1 AND 1000),
    moved_from INTEGER,
    customer TEXT NOT NULL,
    price INTEGER NOT NULL CONSTRAINT appointments_price CHECK (price >= 0),
    currency TEXT NOT NULL,
    stage TEXT NOT NULL CONSTRAINT appointments_stage CHECK (
        stage IN ('held', 'booked', 'cancelled', 'lapsed', 'completed', 'missed')
    ),
    held_until INTEGER,
    reason TEXT,
    version INTEGER NOT NULL CONSTRAINT appointments_version CHECK (version > 0),
    created_at INTEGER NOT NULL,
    CONSTRAINT appointments_number PRIMARY KEY (account, number),
    CONSTRAINT appointments_reference UNIQUE (account, reference),
    CONSTRAINT appointments_service FOREIGN KEY (account, service)
        REFERENCES bookable_services (account, number),
    CONSTRAINT appointments_drawn CHECK (number BETWEEN 1 AND 9007199254740991),
    CONSTRAINT appointments_time CHECK (
        starts_at < ends_at AND ends_at <= busy_until AND busy_until - starts_at <= 172800000
    ),
    CONSTRAINT appointments_held CHECK (
        CASE stage WHEN 'booked' THEN held_until IS NULL
            WHEN 'held' THEN held_until IS NOT NULL
            WHEN 'lapsed' THEN held_until IS NOT NULL
            ELSE 1 END
    )
) STRICT, WITHOUT ROWID;

CREATE INDEX appointments_begin ON appointments (account, starts_at, number);

CREATE INDEX appointments_taken ON appointments (account, resource, starts_at)
WHERE stage IN ('held', 'booked');

CREATE TRIGGER appointments_immutable BEFORE UPDATE OF
    account, number, reference, service, customer, price, currency, held_until, created_at
ON appointments BEGIN
    SELECT RAISE(ABORT, 'what an appointment was booked as is immutable');
END;

CREATE TRIGGER appointments_forward BEFORE UPDATE ON appointments
WHEN NEW.version <> OLD.version + 1 OR OLD.stage NOT IN ('held', 'booked')
    OR NEW.stage IN ('held', 'booked') AND NEW.stage <> OLD.stage
BEGIN
    SELECT RAISE(ABORT, 'an appointment ends once');
END;

CREATE TRIGGER appointments_no_delete BEFORE DELETE ON appointments BEGIN
    SELECT RAISE(ABORT, 'appointments are never deleted');
END;

CREATE TRIGGER appointments_no_replace BEFORE INSERT ON appointments
WHEN EXISTS (
    SELECT 1 FROM appointments
    WHERE account = NEW.account AND (number = NEW.number OR reference = NEW.reference)
) BEGIN
    SELECT RAISE(ABORT, 'appointments are never replaced');
END;

-- What operators ask for over HTTP, numbered from 1, each signed by the key that the operator makes
-- requests with. What became of one is in operator_log.

CREATE TABLE change_requests (
    number INTEGER PRIMARY KEY CONSTRAINT change_requests_from_one CHECK (number > 0),
    operator TEXT NOT NULL,
    at INTEGER NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    reason TEXT NOT NULL,
    signature BLOB NOT NULL CONSTRAINT change_requests_signature CHECK (length(signature) = 64)
) STRICT;

CREATE TRIGGER change_requests_no_update BEFORE UPDATE ON change_requests BEGIN
    SELECT RAISE(ABORT, 'change_requests are append-only');
END;

CREATE TRIGGER change_requests_no_delete BEFORE DELETE ON change_requests BEGIN
    SELECT RAISE(ABORT, 'change_requests are append-only');
END;

CREATE TRIGGER change_requests_follow BEFORE INSERT ON change_requests
WHEN NEW.number <> (SELECT coalesce(max(number), 0) FROM change_requests) + 1 BEGIN
    SELECT RAISE(ABORT, 'change_requests are append-only and numbered without a gap');
END;

-- What operators ask for over HTTP, numbered from 1, each signed by the key that the operator makes
-- requests with. What became of one is in operator_log. The role of a server adds rows here: one with
-- a number far ahead would leave no number to those after it, so a number follows the last.

CREATE TABLE change_requests (
    number bigint NOT NULL,
    operator text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    action text COLLATE "C" NOT NULL,
    subject text NOT NULL,
    reason text NOT NULL,
    signature bytea NOT NULL,
    CONSTRAINT change_requests_number PRIMARY KEY (number),
    CONSTRAINT change_requests_from_one CHECK (number > 0),
    CONSTRAINT change_requests_signature CHECK (octet_length(signature) = 64)
);

CREATE TRIGGER change_requests_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON change_requests
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION follow_change_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF new.number <> (SELECT coalesce(max(number), 0) FROM public.change_requests) + 1 THEN
        RAISE EXCEPTION 'change_requests are append-only and numbered without a gap'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER change_requests_follow BEFORE INSERT ON change_requests
FOR EACH ROW EXECUTE FUNCTION follow_change_request();

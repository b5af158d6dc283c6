-- Groups of bank accounts that merchants pay together. A change counts the version on, so that none
-- overwrites one that its author has not seen.

CREATE TABLE payout_groups (
    account text COLLATE "C" NOT NULL,
    id bigint NOT NULL,
    version integer NOT NULL,
    name text NOT NULL,
    member_count integer NOT NULL,
    members text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    CONSTRAINT payout_groups_id PRIMARY KEY (account, id),
    CONSTRAINT payout_groups_version CHECK (version > 0),
    CONSTRAINT payout_groups_member_count CHECK (member_count BETWEEN 1 AND 1000)
);

-- compatible since: 40
-- The generations of the pepper that the three newest secrets of an endpoint were made from, newest
-- first. Every secret that is there was made from the first one.

ALTER TABLE endpoints ADD COLUMN secret_peppers text NOT NULL DEFAULT '1,1,1'
    CONSTRAINT endpoints_secret_peppers_check
    CHECK (secret_peppers ~ '^[1-9][0-9]{0,9},[1-9][0-9]{0,9},[1-9][0-9]{0,9}$');

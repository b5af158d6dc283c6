-- compatible since: 37
-- The generations of the pepper that the three newest secrets of an endpoint were made from, newest
-- first. Every secret that is there was made from the first one.

ALTER TABLE endpoints ADD COLUMN secret_peppers TEXT NOT NULL DEFAULT '1,1,1'
    CHECK (length(secret_peppers) BETWEEN 5 AND 32);

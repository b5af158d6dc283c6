-- Keys whose requests are signed. The word is within the seal of its row where it is so, and the
-- rows that are there keep their seals. The secret that signs is made from the pepper.

ALTER TABLE access_keys ADD COLUMN is_signed boolean NOT NULL DEFAULT false;

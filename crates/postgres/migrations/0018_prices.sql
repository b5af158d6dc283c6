-- A fingerprint of the prices that an instance sells at, so that instances can tell that theirs
-- differ. It is of the instance that has the place now.
ALTER TABLE instances ADD COLUMN prices text COLLATE "C";

-- What an endpoint answered is kept of the last attempt alone: it is the only one whose answer is shown.
ALTER TABLE deliveries ADD COLUMN answered_at bigint, ADD COLUMN answer text COLLATE "C";
ALTER TABLE delivery_attempts DROP COLUMN excerpt;

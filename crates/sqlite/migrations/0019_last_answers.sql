-- What an endpoint answered is kept of the last attempt alone: it is the only one whose answer is shown.
ALTER TABLE deliveries ADD COLUMN answered_at INTEGER;
ALTER TABLE deliveries ADD COLUMN answer TEXT;
ALTER TABLE delivery_attempts DROP COLUMN excerpt;

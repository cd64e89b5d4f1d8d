-- An event is marked as published soon after it was written: with room for that on its page the log holds what changed of it only.
ALTER TABLE outbox SET (fillfactor = 50);

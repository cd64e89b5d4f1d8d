-- How often a number had a top-up on a day, in wallets that limit it; an order of any other wallet has no entry here.
CREATE INDEX CONCURRENTLY IF NOT EXISTS reservation_recipient ON reservations (wallet_id, recipient) WHERE is_recipient_counted;

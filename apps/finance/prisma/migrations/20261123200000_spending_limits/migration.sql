-- What operators and ancestors let a partner spend (spec §17.5, docs/adr/0045): one row for each who sets limits.
CREATE TABLE spending_limits (
  partner_id             uuid NOT NULL,
  environment            text NOT NULL CHECK (environment IN ('sandbox', 'live')),
  -- 'operator' for all operators together, or the ancestor's id.
  setter                 text NOT NULL CHECK (setter = 'operator' OR setter ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
  max_order_amount       numeric(20, 2) CHECK (max_order_amount >= 0),
  daily_spend            numeric(20, 2) CHECK (daily_spend >= 0),
  daily_orders_per_phone integer CHECK (daily_orders_per_phone >= 0),
  set_at                 timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (partner_id, environment, setter),
  CONSTRAINT spending_limits_not_by_itself CHECK (setter <> partner_id::text)
);

-- The lowest of them stand in the wallet, where the movement that is to be limited holds the lock already; beside them what the
-- orders of its newest day, and of the day before, have come to. A wallet that is older than these columns adds its day up once.
ALTER TABLE wallets
  ADD COLUMN max_order_amount       numeric(20, 2),
  ADD COLUMN daily_spend            numeric(20, 2),
  ADD COLUMN daily_orders_per_phone integer,
  ADD COLUMN spend_day              date,
  ADD COLUMN spent                  numeric(20, 2) NOT NULL DEFAULT 0,
  ADD COLUMN spent_before           numeric(20, 2) NOT NULL DEFAULT 0;
ALTER TABLE wallets ALTER COLUMN spend_day SET DEFAULT '-infinity';

-- The day of a hold is that of its order's submission: kept only where it is not the day on which it was made. A recipient is
-- a hash that stands for the number of a top-up on one day; it is looked for only in wallets with a limit for each number.
ALTER TABLE reservations
  ADD COLUMN submitted_on         date,
  ADD COLUMN recipient            text,
  ADD COLUMN is_recipient_counted boolean NOT NULL DEFAULT false;

-- What finance knows of partners (from identity's events), and the rates amounts are shown in.

CREATE TABLE partner_profile (
  partner_id       uuid PRIMARY KEY,
  display_currency text,
  version          integer NOT NULL,
  updated_at       timestamptz(6) NOT NULL DEFAULT clock_timestamp()
);

-- Display units for one SAR.
CREATE TABLE display_rate (
  currency   text PRIMARY KEY CHECK (currency <> 'SAR'),
  rate       numeric(18, 6) NOT NULL CHECK (rate > 0),
  updated_at timestamptz(6) NOT NULL
);

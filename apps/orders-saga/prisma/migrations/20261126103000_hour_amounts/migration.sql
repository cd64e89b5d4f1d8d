-- What the orders submitted within an hour came to, of all partners, when there were so many of them: for the operators' overview (spec
-- §18.7). An hour has all its rows or none; they go when one of its orders moves, and a job adds it up again.
CREATE TABLE hour_amounts (
  environment text COLLATE "C" NOT NULL CHECK (environment IN ('sandbox', 'live')),
  hour timestamptz NOT NULL,
  product text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  currency text NOT NULL,
  orders bigint NOT NULL CHECK (orders > 0),
  amount numeric(20, 2) NOT NULL,
  PRIMARY KEY (environment, hour, product, status, currency)
);

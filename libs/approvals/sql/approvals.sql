-- Movements of money that wait for a second operator, kept where they are made (docs/adr/0021).
CREATE TABLE approvals (
  id uuid PRIMARY KEY,
  action text NOT NULL CHECK (action IN ('wallet.credit', 'wallet.adjust', 'order.reverse')),
  partner_id uuid NOT NULL,
  environment text NOT NULL CHECK (environment = 'live'),
  amount numeric(20, 2) NOT NULL,
  subject text NOT NULL,
  notes text NOT NULL,
  -- What is made once it is approved, and the key by which that happens once.
  operation_key text NOT NULL,
  operation jsonb NOT NULL,
  -- One that nobody decided stays Pending here until its key is used again; expires_at says that it has lapsed.
  status text NOT NULL DEFAULT 'Pending' CHECK (status IN ('Pending', 'Approved', 'Rejected', 'Lapsed')),
  requested_by text NOT NULL,
  requested_account text NOT NULL,
  request_id text NOT NULL,
  requested_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  decided_by text,
  decided_account text,
  decided_at timestamptz(3),
  CONSTRAINT approvals_decided CHECK (
    (status IN ('Approved', 'Rejected')) = (decided_at IS NOT NULL)
    AND (decided_at IS NULL) = (decided_by IS NULL) AND (decided_at IS NULL) = (decided_account IS NULL)),
  -- Nobody decides what he requested himself, whoever writes.
  CONSTRAINT approvals_by_another CHECK (decided_account <> requested_account)
);
CREATE UNIQUE INDEX approvals_pending_key ON approvals (operation_key) WHERE status = 'Pending';
CREATE INDEX approvals_newest ON approvals (requested_at DESC, id DESC);

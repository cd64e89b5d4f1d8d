-- Who the operators are: the tokens of their programs, and the sessions of those who signed in (spec §18.1). Secrets are here as
-- keyed hashes only.
CREATE TABLE operator_tokens (
  id uuid PRIMARY KEY,
  token_hash bytea NOT NULL UNIQUE,
  name text NOT NULL,
  roles text[] NOT NULL,
  account text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  CONSTRAINT operator_tokens_roles CHECK (
    cardinality(roles) > 0 AND roles <@ ARRAY['viewer', 'support', 'finance', 'catalog', 'partners', 'admin']
  )
);
CREATE INDEX operator_tokens_created_at_id_idx ON operator_tokens (created_at DESC, id DESC);

CREATE TABLE operator_sessions (
  session_hash bytea PRIMARY KEY,
  name text NOT NULL,
  roles text[] NOT NULL,
  account text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT operator_sessions_roles CHECK (
    cardinality(roles) > 0 AND roles <@ ARRAY['viewer', 'support', 'finance', 'catalog', 'partners', 'admin']
  )
);
CREATE INDEX operator_sessions_expires_at_idx ON operator_sessions (expires_at);

-- Attempts to sign in that were used up, each by its keyed hash.
CREATE TABLE operator_sign_ins (
  sign_in_hash bytea PRIMARY KEY,
  used_at timestamptz(3) NOT NULL
);
CREATE INDEX operator_sign_ins_used_at_idx ON operator_sign_ins (used_at);

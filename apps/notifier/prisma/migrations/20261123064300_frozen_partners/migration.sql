-- Whose webhooks wait while the partner, or one above it, is frozen (spec §18.5), as identity published it last.
CREATE TABLE webhook_partners (
  partner_id uuid PRIMARY KEY,
  is_frozen boolean NOT NULL,
  version integer NOT NULL
);

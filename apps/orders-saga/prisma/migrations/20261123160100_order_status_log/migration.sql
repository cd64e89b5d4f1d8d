-- When an order took which status, for its partner's timeline (spec §17.1): a line for each change, its time in microseconds since
-- the epoch, a space and the status. Written by the statements that change the status, advance_sagas among them. A constant default
-- rewrites no row; orders of before and of the version before show what their other columns say.
ALTER TABLE orders ADD COLUMN status_log text COLLATE "C" NOT NULL DEFAULT '';

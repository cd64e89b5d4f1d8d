-- Invariant: an order makes only the moves of spec §4.4 and §7.3, whatever writes to it.
-- The moves of scent orders join the others; keep it equal to MOVES in src/order/domain/order.ts, a test compares every pair.
CREATE OR REPLACE FUNCTION order_may_move(p_product text, p_from text, p_to text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_product = 'Scent' THEN (p_from, p_to) IN (
    ('Pending', 'Processing'),
    ('Processing', 'PartiallyDelivered'),
    ('Processing', 'Completed'),
    ('Processing', 'Cancelled'),
    ('PartiallyDelivered', 'Completed'),
    ('Completed', 'PartiallyReturned'),
    ('Completed', 'Returned'),
    ('PartiallyReturned', 'Returned'))
  ELSE (p_from, p_to) IN (
    ('Pending', 'Processing'),
    ('Pending', 'Cancelled'),
    ('Processing', 'Completed'),
    ('Processing', 'Failed'),
    ('Processing', 'InterventionRequired'),
    ('InterventionRequired', 'Completed'),
    ('InterventionRequired', 'Failed'),
    ('Completed', 'Reversed')) END
$$;

-- Empty since what versions before wrote there moved to the saga's row and to the order's request.
-- safe: the version before neither reads nor writes it
DROP TABLE saga_step_rows;
-- safe: the version before neither reads nor writes it
DROP TABLE topup_order_rows;

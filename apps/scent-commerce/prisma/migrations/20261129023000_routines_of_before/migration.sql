-- What was for the version without stock by environment, and for the one that began and committed each checkout by itself. What its views
-- showed stands in stock_levels, and what it sold counts in daily_sales.

-- safe: unused since checkouts are begun and committed together; no version calls it
DROP FUNCTION IF EXISTS begin_checkout(text, uuid, text, uuid, bigint, uuid, bytea, uuid, text);
-- safe: unused since checkouts are begun and committed together; no version calls it
DROP FUNCTION IF EXISTS commit_checkout(text, uuid, text);
-- safe: unused since priced_lines, which it was read by
DROP FUNCTION IF EXISTS price_lines(text, carts, uuid, uuid[], uuid[], integer[]);
-- safe: unused since set_stock, by which it set both environments
DROP FUNCTION IF EXISTS set_on_hand(uuid[], integer[]);

-- safe: unused since stock is read and written by environment
DROP VIEW variant_stocks;
-- safe: unused since its view is gone, in this very migration
DROP FUNCTION IF EXISTS variant_stocks_written();
-- safe: unused since stocked_variants
DROP VIEW variant_facts;
-- safe: unused since daily_sales, which took over what it held
DROP TABLE variant_sales;
-- safe: unused since sales_totals, which took over what it held
DROP TABLE variant_sales_totals;

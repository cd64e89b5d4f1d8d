-- orders_of_all_by_status does what it did, for the version before as well: its lists are list_orders' too.
DROP INDEX CONCURRENTLY IF EXISTS orders_newest_of_all_status;

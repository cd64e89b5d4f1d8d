CREATE INDEX CONCURRENTLY IF NOT EXISTS sagas_parked ON sagas (order_id) WHERE state = 'Parked';

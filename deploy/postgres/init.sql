-- Run once, by a superuser, on an empty server: for each service a database, a role of the same name that owns and migrates it,
-- and one that the service runs as, which gets what it needs from the migrations (docs/platform/database-roles.md). No other
-- service may enter. psql takes the passwords from its environment. The PostgreSQL image of docker-compose.yml runs this
-- file when its volume is new; anywhere else:
--   IDENTITY_DATABASE_PASSWORD=… IDENTITY_RUNTIME_PASSWORD=… FINANCE_DATABASE_PASSWORD=… … psql "$ADMIN_URL" -f deploy/postgres/init.sql
-- PostgreSQL as the event bus (EVENT_BUS_URL=postgresql://…) needs a database more that all services may enter.
\set ON_ERROR_STOP on

\getenv password IDENTITY_DATABASE_PASSWORD
CREATE ROLE identity LOGIN PASSWORD :'password';
CREATE DATABASE identity OWNER identity;
REVOKE ALL ON DATABASE identity FROM PUBLIC;
\getenv password IDENTITY_RUNTIME_PASSWORD
CREATE ROLE identity_runtime LOGIN PASSWORD :'password';

\getenv password FINANCE_DATABASE_PASSWORD
CREATE ROLE finance LOGIN PASSWORD :'password';
CREATE DATABASE finance OWNER finance;
REVOKE ALL ON DATABASE finance FROM PUBLIC;
\getenv password FINANCE_RUNTIME_PASSWORD
CREATE ROLE finance_runtime LOGIN PASSWORD :'password';

\getenv password SCENT_COMMERCE_DATABASE_PASSWORD
CREATE ROLE scent_commerce LOGIN PASSWORD :'password';
CREATE DATABASE scent_commerce OWNER scent_commerce;
REVOKE ALL ON DATABASE scent_commerce FROM PUBLIC;
\getenv password SCENT_COMMERCE_RUNTIME_PASSWORD
CREATE ROLE scent_commerce_runtime LOGIN PASSWORD :'password';

\getenv password ORDERS_SAGA_DATABASE_PASSWORD
CREATE ROLE orders_saga LOGIN PASSWORD :'password';
CREATE DATABASE orders_saga OWNER orders_saga;
REVOKE ALL ON DATABASE orders_saga FROM PUBLIC;
\getenv password ORDERS_SAGA_RUNTIME_PASSWORD
CREATE ROLE orders_saga_runtime LOGIN PASSWORD :'password';

\getenv password NOTIFIER_DATABASE_PASSWORD
CREATE ROLE notifier LOGIN PASSWORD :'password';
CREATE DATABASE notifier OWNER notifier;
REVOKE ALL ON DATABASE notifier FROM PUBLIC;
\getenv password NOTIFIER_RUNTIME_PASSWORD
CREATE ROLE notifier_runtime LOGIN PASSWORD :'password';

\getenv password VENDOR_SIMULATOR_DATABASE_PASSWORD
CREATE ROLE vendor_simulator LOGIN PASSWORD :'password';
CREATE DATABASE vendor_simulator OWNER vendor_simulator;
REVOKE ALL ON DATABASE vendor_simulator FROM PUBLIC;
\getenv password VENDOR_SIMULATOR_RUNTIME_PASSWORD
CREATE ROLE vendor_simulator_runtime LOGIN PASSWORD :'password';

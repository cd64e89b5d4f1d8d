// Ends the run's server, or removes the run's databases and roles from a server that is somebody else's.
const { once } = require('node:events');

module.exports = async () => {
  const child = globalThis.__RESELLER_TEST_POSTGRES__;
  await Promise.all([end(globalThis.__RESELLER_TEST_KAFKA__), end(child)]);
  if (!child && process.env.RESELLER_TEST_ADMIN_URL) {
    await dropDatabasesOf(process.env.RESELLER_TEST_RUN, process.env.RESELLER_TEST_ADMIN_URL);
  }
  delete process.env.RESELLER_TEST_ADMIN_URL;
  delete process.env.RESELLER_TEST_RUN;
  delete process.env.RESELLER_TEST_KAFKA;
  delete process.env.RESELLER_TEST_KAFKA_MISSING;
};

async function end(child) {
  if (!child || child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.stdin.end();
  await exited;
}

async function dropDatabasesOf(run, connectionString) {
  const { Client } = require('pg');
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query(
      'SELECT datname, datistemplate FROM pg_database WHERE starts_with(datname, $1)',
      [run],
    );
    for (const { datname, datistemplate } of rows) {
      if (datistemplate) await client.query(`ALTER DATABASE "${datname}" IS_TEMPLATE false`);
      await client.query(`DROP DATABASE IF EXISTS "${datname}" WITH (FORCE)`);
    }
    const roles = await client.query('SELECT rolname FROM pg_roles WHERE starts_with(rolname, $1)', [run]);
    for (const { rolname } of roles.rows) await client.query(`DROP ROLE IF EXISTS "${rolname}"`);
  } finally {
    await client.end();
  }
}

// Gives a Jest run its one Kafka broker (TEST_KAFKA_BROKERS, else one as libs/testing/kafka starts it) where its tests
// mention kafkaForTests, and its one PostgreSQL server: TEST_DATABASE_URL (an administrator's, of a server where databases may be
// created), else a container where Docker responds, else the PostgreSQL that npm installed. A project whose tests ask
// for no database gets no server.
const { spawn } = require('node:child_process');
const { randomBytes } = require('node:crypto');
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');

module.exports = async (_globalConfig, { rootDir }) => {
  await Promise.all([givePostgres(rootDir), giveKafka(rootDir)]);
};

async function giveKafka(rootDir) {
  if (!mentions(rootDir, 'kafkaForTests')) return;
  if (process.env.TEST_KAFKA_BROKERS) {
    process.env.RESELLER_TEST_KAFKA = process.env.TEST_KAFKA_BROKERS;
    return;
  }
  const supervisor = path.resolve(__dirname, '../testing/kafka/supervisor.cjs');
  const { said, child } = await startServer(
    ['--disable-warning=TimeoutNegativeWarning', supervisor],
    'Kafka broker',
  );
  if (said.error) {
    // Specs say which of them are skipped for it, and fail in CI.
    process.env.RESELLER_TEST_KAFKA_MISSING = said.error;
    return;
  }
  process.env.RESELLER_TEST_KAFKA = said.brokers;
  globalThis.__RESELLER_TEST_KAFKA__ = child;
}

async function givePostgres(rootDir) {
  if (!mentions(rootDir, 'createTestDatabase')) return;
  // Names of this run's databases begin with it, so that runs that share a server do not meet.
  process.env.RESELLER_TEST_RUN = `rt_${randomBytes(4).toString('hex')}`;
  if (process.env.TEST_DATABASE_URL) {
    process.env.RESELLER_TEST_ADMIN_URL = process.env.TEST_DATABASE_URL;
    return;
  }
  const { said, child } = await startServer([path.join(__dirname, 'test-postgres.cjs')], 'PostgreSQL server');
  process.env.RESELLER_TEST_ADMIN_URL = said.url;
  globalThis.__RESELLER_TEST_POSTGRES__ = child;
}

/** Only what runs here counts: the sources of a library name it for the tests of others. */
function mentions(rootDir, name) {
  return Object.entries({ src: '.spec.ts', test: '.ts' }).some(([folder, ending]) => {
    const directory = path.join(rootDir, folder);
    if (!existsSync(directory)) return false;
    return readdirSync(directory, { recursive: true }).some(
      (file) => file.endsWith(ending) && readFileSync(path.join(directory, file), 'utf8').includes(name),
    );
  });
}

function startServer(args, what) {
  // Detached: Ctrl-C must reach Jest only; the server ends when Jest's side of the pipe closes.
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
      if (said.includes('\n')) resolve({ said: JSON.parse(said), child });
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the ${what} for tests ended early (exit ${code})`)));
  });
}

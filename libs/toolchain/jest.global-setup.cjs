// Gives a Jest run its one PostgreSQL server: TEST_DATABASE_URL (an administrator's, of a server where databases may be
// created), else a container where Docker answers, else the PostgreSQL that npm installed. A project whose tests ask
// for no database gets no server.
const { spawn } = require('node:child_process');
const { randomBytes } = require('node:crypto');
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');

module.exports = async (_globalConfig, { rootDir }) => {
  if (!needsDatabase(rootDir)) return;
  // Names of this run's databases begin with it, so that runs that share a server do not meet.
  process.env.RESELLER_TEST_RUN = `rt_${randomBytes(4).toString('hex')}`;
  if (process.env.TEST_DATABASE_URL) {
    process.env.RESELLER_TEST_ADMIN_URL = process.env.TEST_DATABASE_URL;
    return;
  }
  const { url, child } = await startServer();
  process.env.RESELLER_TEST_ADMIN_URL = url;
  globalThis.__RESELLER_TEST_POSTGRES__ = child;
};

function needsDatabase(rootDir) {
  return ['src', 'test'].some((folder) => {
    const directory = path.join(rootDir, folder);
    if (!existsSync(directory)) return false;
    return readdirSync(directory, { recursive: true }).some(
      (file) =>
        file.endsWith('.ts') &&
        readFileSync(path.join(directory, file), 'utf8').includes('createTestDatabase'),
    );
  });
}

function startServer() {
  // Detached: Ctrl-C must reach Jest only; the server ends when Jest's side of the pipe closes.
  const child = spawn(process.execPath, [path.join(__dirname, 'test-postgres.cjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
      if (said.includes('\n')) resolve({ url: JSON.parse(said).url, child });
    });
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(new Error(`the PostgreSQL server for tests ended early (exit ${code})`)),
    );
  });
}

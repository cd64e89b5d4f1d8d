// One throw-away PostgreSQL server for tests. It lives for as long as this process's standard input stays open, so
// that a test run that is killed leaves neither a server nor a folder behind. Prints one JSON line when it is ready.
// With --with-standby a second server follows the first.
const { mkdtempSync, chmodSync, existsSync, rmSync } = require('node:fs');
const http = require('node:http');
const Module = require('node:module');
const os = require('node:os');
const path = require('node:path');
const { freePort } = require('../testing/free-port.cjs');

let compiledLibrary;

const user = 'postgres';
const password = 'postgres';
// Tests need no durability; what they assert about crashes concerns processes and connections, not power cuts.
const settings = {
  max_connections: '200',
  shared_buffers: '64MB',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum_naptime: '10s',
  log_min_messages: 'fatal',
};

main().catch((error) => {
  process.stderr.write(`${error?.stack ?? error}\n`);
  process.exitCode = 1;
  process.stdin.destroy();
});

async function main() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.stdin.destroy());
  const ended = new Promise((resolve) => process.stdin.on('end', resolve).on('close', resolve).resume());
  const hasStandby = process.argv.includes('--with-standby');
  const isContainer = !hasStandby && (await isDockerAvailable());
  const server = isContainer ? await startContainer() : await startEmbedded(hasStandby);
  try {
    const { url, kind, pid, standby } = server;
    process.stdout.write(`${JSON.stringify({ url, kind, pid, standby })}\n`);
    await Promise.race([ended, server.died]);
  } finally {
    await server.stop();
  }
  process.stdin.destroy();
}

/** Whether a Docker engine responds within half a second; not looked for where POSTGRES_BIN says which programs to run. */
async function isDockerAvailable() {
  if (process.env.POSTGRES_BIN) return false;
  if (process.env.DOCKER_HOST) return true;
  const socketPath = '/var/run/docker.sock';
  if (!existsSync(socketPath)) return false;
  return new Promise((resolve) => {
    const request = http.get({ socketPath, path: '/_ping', timeout: 500 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('timeout', () => request.destroy(new Error('timeout'))).on('error', () => resolve(false));
  });
}

async function startContainer() {
  const { GenericContainer, Wait } = require('testcontainers');
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const container = await new GenericContainer(
    'postgres:18.4-alpine@sha256:9a8afca54e7861fd90fab5fdf4c42477a6b1cb7d293595148e674e0a3181de15',
  )
    .withEnvironment({ POSTGRES_PASSWORD: password })
    .withExposedPorts(5432)
    .withCommand(['postgres', ...flags.filter((flag) => flag !== 'log_min_messages=fatal')])
    .withWaitStrategy(Wait.forListeningPorts())
    .start();
  const url = `postgresql://${user}:${password}@${container.getHost()}:${container.getMappedPort(5432)}/postgres`;
  await untilReady(url, () => undefined);
  return { kind: 'container', url, stop: () => container.stop(), died: new Promise(() => undefined) };
}

async function startEmbedded(hasStandby) {
  const { initialiseCluster, makeStandby } = localPostgres();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'reseller-test-postgres-'));
  const stops = [];
  const stop = async () => {
    for (const end of stops.reverse()) await end();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    chmodSync(folder, 0o711);
    const directory = path.join(folder, 'data');
    initialiseCluster({ directory, user, password });
    const { url, pid, died } = await startServer(directory, stops);
    if (!hasStandby) return { kind: 'embedded', url, pid, died, stop };
    const into = path.join(folder, 'standby');
    await withClient(url, (client) => makeStandby(client, { of: directory, into, primary: url }));
    const standby = await startServer(into, stops);
    return { kind: 'embedded', url, pid, standby: { url: standby.url, pid: standby.pid }, died, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts the server of a cluster on a port of its own, and adds to `stops` what ends it. */
async function startServer(directory, stops) {
  const { spawnPostgres, stopPostgres } = localPostgres();
  // The free port may be taken by another process before the server binds it; then the next one is tried.
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const child = spawnPostgres({ directory, port, settings }, ['ignore', 'ignore', 'pipe']);
    let said = '';
    child.stderr.on('data', (chunk) => (said = `${said}${chunk}`.slice(-4000)));
    const died = new Promise((resolve) => child.once('exit', resolve));
    const url = `postgresql://${user}:${password}@127.0.0.1:${port}/postgres`;
    try {
      await untilReady(url, () => child.exitCode !== null && `PostgreSQL did not start: ${said}`);
      stops.push(() => stopPostgres(child, 10_000));
      return { url, pid: child.pid, died };
    } catch (error) {
      await stopPostgres(child, 2_000);
      if (attempt === 5) throw error;
    }
  }
}

async function withClient(connectionString, work) {
  const client = new (require('pg').Client)({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function untilReady(connectionString, failure) {
  const { Client } = require('pg');
  for (const until = Date.now() + 60_000; ;) {
    const client = new Client({ connectionString, connectionTimeoutMillis: 2_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      await client.end().catch(() => undefined);
      const reason = failure() || (Date.now() > until && `PostgreSQL does not respond: ${error.message}`);
      if (reason) throw new Error(reason, { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** The library is TypeScript and this process runs before any build, so it is compiled here, in memory. */
function localPostgres() {
  if (compiledLibrary) return compiledLibrary;
  const entry = path.resolve(__dirname, '../local-postgres/src/index.ts');
  const { outputFiles } = require('esbuild').buildSync({
    entryPoints: [entry],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    packages: 'external',
  });
  const compiled = new Module(entry, module);
  compiled.filename = entry;
  compiled.paths = module.paths;
  compiled._compile(outputFiles[0].text, entry);
  compiledLibrary = compiled.exports;
  return compiledLibrary;
}

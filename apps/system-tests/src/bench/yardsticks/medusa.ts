import { execFile, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { Pool } from 'undici';
import { freePort } from '@reseller/testing';
import type { StartedPlatform } from '../../platform/start-platform';
import { repeat } from '../http-load';
import type { LoadResult } from '../http-load';
import { say } from '../measure';
import { installYardstick } from './install';
import { MEDUSA_CONFIG, MEDUSA_SEED } from './medusa-files';

const VERSION = '2.21.2';
const DATABASE = 'bench_medusa';
const CLIENTS = 16;
const START_LIMIT_MS = 180_000;

interface Seeded {
  readonly key: string;
  readonly regionId: string;
  readonly variantId: string;
}

/** Medusa's own server with one product, in the PostgreSQL of the platform. */
export interface Medusa {
  /** Makes carts with a line in them and reads them. */
  addAndRead(seconds: number): Promise<LoadResult>;
  stop(): Promise<void>;
}

/** Installs Medusa when it is not there yet, makes its database, and starts its server. */
export async function startMedusa(platform: StartedPlatform): Promise<Medusa> {
  say('installing Medusa …');
  const names = ['medusa', 'framework', 'cli'].map((name) => `@medusajs/${name}`);
  const folder = installYardstick('medusa', Object.fromEntries(names.map((name) => [name, VERSION])));
  const url = new URL(platform.description.databases.identity ?? '');
  url.pathname = '/postgres';
  const admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  await admin.query(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`);
  await admin.query(`CREATE DATABASE ${DATABASE}`);
  url.pathname = `/${DATABASE}`;
  const seededFile = path.join(folder, 'seeded.json');
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    DATABASE_URL: url.href,
    MEDUSA_DISABLE_TELEMETRY: 'true',
    SEEDED_FILE: seededFile,
  };
  writeFileSync(path.join(folder, 'medusa-config.js'), MEDUSA_CONFIG);
  writeFileSync(path.join(folder, 'seed.js'), MEDUSA_SEED);
  const program = path.join(folder, 'node_modules/.bin/medusa');
  const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 };
  say('making Medusa’s database …');
  await promisify(execFile)(process.execPath, [program, 'db:migrate'], options);
  await promisify(execFile)(process.execPath, [program, 'exec', './seed.js'], options);
  const seeded = JSON.parse(readFileSync(seededFile, 'utf8')) as Seeded;
  const port = await freePort();
  const server = spawn(process.execPath, [program, 'start', '-H', '127.0.0.1', '-p', String(port)], {
    cwd: folder,
    env,
    stdio: 'ignore',
  });
  await untilHealthy(`http://127.0.0.1:${port}/health`);
  return {
    addAndRead: (seconds) => addAndRead(`http://127.0.0.1:${port}`, seeded, seconds),
    async stop() {
      server.kill('SIGKILL');
      await admin.query(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`);
      await admin.end();
    },
  };
}

async function untilHealthy(url: string): Promise<void> {
  const giveUpAt = Date.now() + START_LIMIT_MS;
  for (;;) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    if (Date.now() > giveUpAt) throw new Error('Medusa did not start');
    await pause(200);
  }
}

async function addAndRead(origin: string, seeded: Seeded, seconds: number): Promise<LoadResult> {
  const pool = new Pool(origin, { connections: CLIENTS, pipelining: 1 });
  const headers = { 'x-publishable-api-key': seeded.key, 'content-type': 'application/json' };
  const items = [{ variant_id: seeded.variantId, quantity: 1 }];
  const body = JSON.stringify({ region_id: seeded.regionId, items });
  const one = async (): Promise<boolean> => {
    const added = await pool.request({ method: 'POST', path: '/store/carts', headers, body });
    const text = await added.body.text();
    if (added.statusCode !== 200) return false;
    const { cart } = JSON.parse(text) as { cart: { id: string } };
    const read = await pool.request({ method: 'GET', path: `/store/carts/${cart.id}`, headers });
    return (await read.body.text()).includes('"quantity":1') && read.statusCode === 200;
  };
  const result = await repeat({ seconds, atOnce: CLIENTS }, one);
  await pool.close();
  return result;
}

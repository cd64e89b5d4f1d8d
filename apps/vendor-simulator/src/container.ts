import { createServer } from 'node:http';
import { createPool, createRetentionJob, databaseAddress, type RetentionRule } from '@reseller/database';
import type { Container, ContainerDeps } from '@reseller/service-kit';
import { createVendorSimulation } from '@reseller/vendor-simulation';
import { createCallbacks } from './callbacks';
import type { Config } from './config';
import { createVendorApp } from './vendor-app';

/** All of the simulator's wiring. */
export async function createVendorSimulator({
  config,
  log,
  metrics,
  health,
}: ContainerDeps<Config>): Promise<Container> {
  const pool = createPool({
    ...databaseAddress(config),
    max: config.DATABASE_POOL_SIZE,
    name: 'vendor-simulator',
    log,
    metrics,
  });
  const { VENDOR_CALLBACK_URL: url, VENDOR_CALLBACK_SECRET: secret } = config;
  const callbacks =
    url && secret
      ? createCallbacks({ url, secret, afterMs: config.VENDOR_CALLBACK_AFTER_MS }, log)
      : undefined;
  const app = createVendorApp({
    simulation: createVendorSimulation({ pool }),
    onPending: (key) => callbacks?.pending(key),
    apiKey: config.VENDOR_API_KEY,
    log,
    health,
  });
  return {
    http: {
      server: createServer(app),
      host: config.VENDOR_HOST,
      port: config.VENDOR_PORT,
      portVariable: 'VENDOR_PORT',
    },
    jobs: [createRetentionJob([journalRetention(config)], { pool, log, metrics })],
    ready: { database: async () => void (await pool.query('SELECT 1')) },
    close: () => {
      callbacks?.stop();
      return pool.end();
    },
  };
}

/** Orders that a vendor has long forgotten; ascending numbers are served by their key. */
const journalRetention = (config: Config): RetentionRule => ({
  table: 'vendor_journal',
  oldestFirst: 'seq',
  expired: 'received_at < $1',
  keepMs: config.VENDOR_JOURNAL_RETENTION_MS,
});

import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually, freePort } from '@reseller/testing';
import { z } from 'zod';
import { baseConfig } from './config';
import { runService, type RunningService } from './run-service';

function untilResponse(url: string, status: number): Promise<{ reasons?: Record<string, string> }> {
  return eventually(async () => {
    const response = await fetch(url);
    expect(response.status).toBe(status);
    return (await response.json()) as { reasons?: Record<string, string> };
  });
}

describe('a service whose database may be older than it', () => {
  let running: RunningService | undefined;
  let pending: () => Promise<string[]>;
  let started = 0;
  afterEach(() => running?.stop());

  async function start(env: Record<string, string> = {}): Promise<{ url: string; up: Promise<void> }> {
    started = 0;
    const port = await freePort();
    const options = {
      name: 'waiting',
      config: z.object(baseConfig),
      migrate: async () => undefined,
      pendingMigrations: () => pending(),
      start: async () => {
        started += 1;
        return {};
      },
    };
    const up = runService(options, {
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      HTTP_PORT: String(port),
      ...env,
    });
    return { url: `http://127.0.0.1:${port}`, up: up.then((service) => void (running = service)) };
  }

  it('when a migration is pending, then it is alive, not ready and says which, and starts once it is applied', async () => {
    pending = async () => ['2_lines', '3_more'];
    const { url, up } = await start();
    const { reasons } = await untilResponse(`${url}/readyz`, 503);
    expect(reasons).toEqual({
      schema: "the database lacks migration 2_lines and 1 more; run this version's migrate.js",
    });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(started).toBe(0);
    pending = async () => [];
    await up;
    expect(await untilResponse(`${url}/readyz`, 200)).toEqual({ ready: true, checks: { serving: 'ok' } });
  });

  it('when the database cannot be reached, then it waits and shows nothing of the error', async () => {
    pending = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.1'));
    const { url, up } = await start();
    expect(JSON.stringify(await untilResponse(`${url}/readyz`, 503))).not.toContain('10.0.0.1');
    pending = async () => [];
    await up;
    expect(started).toBe(1);
  });

  it('when it migrates by itself, then it calls nobody', async () => {
    pending = () => Promise.reject(new Error('must not be called'));
    const { up } = await start({ MIGRATE_ON_START: 'true' });
    await up;
    expect(started).toBe(1);
  });
});

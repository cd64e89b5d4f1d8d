import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, samplesFor, type TestDatabase } from '@reseller/testing';
import * as receiver from '../src';
import type { Deduper } from '../src/deduper';
import { eventBody, signedHeaders } from './sign';

const SECRET = 'whsec_one';
const samples = samplesFor(__filename);
const codeBelow = (section: string, language = 'js'): string =>
  samples.find((one) => one.section === section && one.language === language)?.code ?? '';

/** Runs a sample with what its reader has, and returns what an expression after it comes to. */
function evaluate(code: string, has: object, result = 'undefined'): unknown {
  const fromHere = createRequire(__filename);
  const require = (name: string): unknown =>
    name === 'partner-reseller-webhook-receiver' ? receiver : fromHere(name);
  return runInNewContext(`${code}\n${result}`, { require, console, ...has });
}

describe('the samples of the README', () => {
  it('when the receiver on Express gets a signed event, then it queues it and returns 204', async () => {
    const queued: unknown[] = [];
    const has = {
      process: { env: { WEBHOOK_SECRET: SECRET } },
      enqueue: (event: unknown) => Promise.resolve(void queued.push(event)),
    };
    const app = evaluate(codeBelow('Express, or node:http'), has, 'app') as RequestListener;
    const server = createServer(app).listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
      const body = eventBody();
      const headers = signedHeaders(SECRET, body);
      expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(204);
      expect(queued).toEqual([JSON.parse(body)]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('when another server verifies, then a signed event passes, and a forged one is refused with the reason', () => {
    const replies: unknown[] = [];
    const rawBody = eventBody();
    const request = { headers: signedHeaders(SECRET, rawBody) };
    const reply = (...given: unknown[]): void => void replies.push(given);
    const verify = (secret: string): unknown =>
      evaluate(codeBelow('Any other server'), { secret, request, rawBody, reply });
    verify(SECRET);
    expect(replies).toEqual([]);
    verify('whsec_other');
    expect(replies).toEqual([[400, 'signature-mismatch']]);
  });
});

describe('events that are kept where their effect is', () => {
  let database: TestDatabase;
  let deduper: Deduper;
  const [table = '', insert = ''] = codeBelow('Once, for good', 'sql').split(/;\n/);

  /** As a partner's own library would have it. */
  async function transaction<T>(work: (tx: unknown) => Promise<T>): Promise<T> {
    const client = await database.pool.connect();
    try {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  }

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.pool.query(table);
    deduper = evaluate(codeBelow('Once, for good'), { transaction }, 'deduper') as Deduper;
  });
  afterAll(() => database.drop());

  const A_UUID = '019bc0de-0000-7000-8000-000000000001';

  it('when an event comes a second time, then the statement inserts no row', async () => {
    expect((await database.pool.query(insert, [A_UUID])).rowCount).toBe(1);
    expect((await database.pool.query(insert, [A_UUID])).rowCount).toBe(0);
  });

  it('when one comes twice at the same time, then its effect is had once, by the second when the first fails', async () => {
    const id = A_UUID.replace(/1$/, '2');
    const effects: string[] = [];
    let other: Promise<boolean> | undefined;
    const first = deduper.once(id, async () => {
      other = deduper.once(id, async () => void effects.push('second'));
      throw new Error('no effect');
    });
    await expect(first).rejects.toThrow('no effect');
    expect(await other).toBe(true);
    expect(await deduper.once(id, async () => void effects.push('third'))).toBe(false);
    expect(effects).toEqual(['second']);
  });
});

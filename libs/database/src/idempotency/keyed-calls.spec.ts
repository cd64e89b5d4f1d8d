import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Environment } from '@reseller/contracts';
import { AppError, isAppError } from '@reseller/errors';
import type { CallContext } from '@reseller/rpc';
import { createTestDatabase, silentLog, type TestDatabase } from '@reseller/testing';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Queryable } from '../query';
import { removeExpired } from '../retention/retention';
import { withTransaction } from '../with-transaction';
import { KeyedCalls, keyRetention, type ResponseSeal } from './keyed-calls';

const TABLES = readFileSync(path.join(__dirname, '../../sql/idempotency.sql'), 'utf8');
const PARTNER = '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a10';

interface Reply {
  readonly text: string;
  readonly isReplayed?: boolean | undefined;
}
const method = {
  responseSerialize: ({ text }: Reply) => Buffer.from(text),
  responseDeserialize: (bytes: Buffer): Reply => ({ text: bytes.toString() }),
};

const callWith = (key: string, fingerprint = 'request', partnerId = PARTNER): CallContext => ({
  requestId: 'test',
  partner: {
    partnerId,
    partnerGlobalId: 'PRT-1',
    path: [partnerId],
    environment: Environment.SANDBOX,
    clientId: 'c',
  },
  idempotency: { key, fingerprint },
});

const codeOf = (error: unknown): unknown => (isAppError(error) ? error.code : error);

describe('calls with an idempotency key (spec §1.11)', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
    await database.pool.query(`${TABLES} CREATE TABLE effects (n int);`);
  });
  afterEach(() => database.drop());

  const calls = (seal?: ResponseSeal): KeyedCalls<Queryable> =>
    new KeyedCalls<Queryable>({
      db: database.pool,
      deps: database.pool,
      within: (work) => withTransaction(database.pool, (tx) => work(tx, tx)),
      seal,
    });
  const add =
    (text = 'first') =>
    async (db: Queryable): Promise<Reply> => {
      await db.query('INSERT INTO effects VALUES (1)');
      return { text };
    };
  const effects = async (): Promise<number> =>
    (await database.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM effects')).rows[0]?.n ?? 0;

  it('when the response was lost, then the repetition gets it and nothing happens again; without a key everything does', async () => {
    expect(await calls().run(callWith('k'), method, add())).toEqual({ text: 'first' });
    const again = { text: 'first', isReplayed: true };
    expect(await calls().run(callWith('k'), method, add('second'))).toEqual(again);
    expect(await effects()).toBe(1);
    const { idempotency: _, ...plain } = callWith('k');
    expect(await calls().run(plain, method, add())).toEqual({ text: 'first' });
    expect(await effects()).toBe(2);
  });

  it('when the connection dies between the effect and its commit, then nothing of it stands and the repetition does it', async () => {
    const dying = async (db: Queryable): Promise<Reply> => {
      const reply = await add()(db);
      const { rows } = await db.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await database.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
      return reply;
    };
    await expect(calls().run(callWith('k'), method, dying)).rejects.toThrow();
    expect(await effects()).toBe(0);
    expect(await calls().run(callWith('k'), method, add())).toEqual({ text: 'first' });
    expect(await effects()).toBe(1);
  });

  it('when the first is still running, then another one is refused at once, also for another request', async () => {
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    let began = (): void => undefined;
    const hasBegun = new Promise<void>((resolve) => (began = resolve));
    const first = calls().run(callWith('k'), method, async (db) => {
      const reply = await add()(db);
      began();
      await held;
      return reply;
    });
    await hasBegun;
    for (const fingerprint of ['request', 'other']) {
      const second = calls().run(callWith('k', fingerprint), method, add());
      expect(codeOf(await second.catch((error: unknown) => error))).toBe('CONFLICT_REQUEST_IN_PROGRESS');
    }
    goOn();
    await first;
    expect(await effects()).toBe(1);
  });

  it('when the request is another, it is refused; of another partner, or after a refusal, the key is free', async () => {
    const refused = calls().run(callWith('k'), method, async (db) => {
      await add()(db);
      throw new AppError('NOT_FOUND_VARIANT');
    });
    expect(codeOf(await refused.catch((error: unknown) => error))).toBe('NOT_FOUND_VARIANT');
    await calls().run(callWith('k'), method, add());
    const other = calls().run(callWith('k', 'other'), method, add());
    expect(codeOf(await other.catch((error: unknown) => error))).toBe('CONFLICT_IDEMPOTENCY_KEY_REUSED');
    const stranger = callWith('k', 'other', PARTNER.replace('0', '1'));
    expect(await calls().run(stranger, method, add())).toEqual({ text: 'first' });
    expect(await effects()).toBe(2);
  });

  it('when a day has passed, then the key is free before its row is removed, and is removed', async () => {
    const age = () =>
      database.pool.query(`UPDATE idempotency_keys SET created_at = created_at - interval '25 hours'`);
    await calls().run(callWith('k'), method, add());
    await age();
    expect(await calls().run(callWith('k', 'other'), method, add('second'))).toEqual({
      text: 'second',
    });
    await age();
    await removeExpired([keyRetention], { pool: database.pool, log: silentLog });
    expect((await database.pool.query('SELECT FROM idempotency_keys')).rowCount).toBe(0);
  });

  it('when responses hold secrets, then they are stored sealed for their row and replayed as they were', async () => {
    const seal: ResponseSeal = {
      seal: (rowId, text) => ({ ciphertext: Buffer.from(`${rowId}|${text}`).reverse(), keyId: 'one' }),
      open: (rowId, { ciphertext }) => Buffer.from(ciphertext).reverse().toString().replace(`${rowId}|`, ''),
    };
    await calls(seal).run(callWith('k'), method, add('whsec_1'));
    const { rows } = await database.pool.query<{ response: Buffer; sealed_with: string }>(
      'SELECT response, sealed_with FROM idempotency_keys',
    );
    expect([rows[0]?.sealed_with, rows[0]?.response.includes('whsec_1')]).toEqual(['one', false]);
    const again = await calls(seal).run(callWith('k'), method, add());
    expect(again).toEqual({ text: 'whsec_1', isReplayed: true });
  });

  it('when an attempt outside of the database died, then it is made again by what it had settled once its lease is over', async () => {
    const attempts: string[] = [];
    let settled = 0;
    const work = (isDying: boolean) => ({
      settle: () => `plan ${(settled += 1)}`,
      attempt: async (plan: string) => {
        attempts.push(plan);
        if (isDying) throw new Error('the process died');
      },
      record: async (db: Queryable, plan: string) => add(plan)(db),
    });
    const run = (isDying: boolean) => calls().runLeased(callWith('k'), method, work(isDying));
    await expect(run(true)).rejects.toThrow('died');
    expect(codeOf(await run(false).catch((error: unknown) => error))).toBe('CONFLICT_REQUEST_IN_PROGRESS');
    await database.pool.query('UPDATE idempotency_keys SET lease_until = clock_timestamp()');
    expect(await run(false)).toEqual({ text: 'plan 1' });
    expect(await run(false)).toEqual({ text: 'plan 1', isReplayed: true });
    expect([attempts, await effects()]).toEqual([['plan 1', 'plan 1'], 1]);
  });
});

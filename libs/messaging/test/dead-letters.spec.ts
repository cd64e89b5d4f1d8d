import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { removeExpired, withTransaction } from '@reseller/database';
import { InvalidEventError } from '@reseller/errors';
import { silentLog } from '@reseller/testing';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DeadLetters } from '../src/dead-letters/dead-letters';
import type { DomainEvent } from '../src/domain-event';
import { handleOnce } from '../src/inbox';
import { deadLetterRetention } from '../src/messaging-retention';
import { createDeadLetterDatabase } from './dead-letter-support';
import { anEvent } from './event-bus.contract';

const tables = readFileSync(path.join(__dirname, '../sql/messaging.sql'), 'utf8');
const olga = { operator: 'olga', requestId: 'r-1' };
const failure = { group: 'g', reason: 'RuleBroken' as const, message: 'no partner', detail: '', attempts: 1 };

let service: Awaited<ReturnType<typeof createDeadLetterDatabase>>;
let isMended: boolean;
let deadLetters: DeadLetters;
const event = anEvent('a', 7);

/** Its effect is a row; the inbox makes it once. */
const handler = async ([given]: DomainEvent[]): Promise<void> => {
  if (!isMended) throw new InvalidEventError('Undecodable', 'still no Thing');
  await withTransaction(service.pool, async (tx) => {
    await handleOnce(tx, { consumer: 'g', event: given as DomainEvent }, async () => {
      await tx.query('INSERT INTO effect VALUES ($1)', [given?.eventId]);
    });
  });
};
const effects = async (): Promise<number> =>
  (await service.pool.query('SELECT count(*)::int AS n FROM effect')).rows[0].n;
const removeDecided = (): Promise<boolean> =>
  removeExpired([deadLetterRetention({ DEAD_LETTER_RETENTION_DAYS: 90 })], {
    pool: service.pool,
    log: silentLog,
  });
const onlyOne = async () => {
  const { deadLetters: found } = await deadLetters.repository.list({}, { offset: 0, limit: 10 });
  expect(found).toHaveLength(1);
  return found[0] as (typeof found)[0];
};

beforeEach(async () => {
  service = await createDeadLetterDatabase();
  await service.pool.query(`${tables}; CREATE TABLE effect (event_id uuid)`);
  deadLetters = new DeadLetters({ pool: service.pool, consumers: [{ group: 'g', handler }], log: silentLog });
  isMended = true;
  // As after a crash between storing it and moving on.
  await deadLetters.record(event, failure);
  await deadLetters.record(event, failure);
});
afterEach(() => service.drop());

describe('dead letters', () => {
  it('when one is redriven, again and at once, then its event takes effect once and it is marked once', async () => {
    const { id } = await onlyOne();
    const results = await Promise.all([1, 2].map(() => deadLetters.redrive(id, olga)));
    const again = await deadLetters.redrive(id, { operator: 'omar', requestId: 'r-2' });
    expect([...results, again].map(({ state, decidedBy }) => [state, decidedBy])).toEqual(
      Array(3).fill(['Redriven', 'olga']),
    );
    expect(again.event).toEqual(event);
    expect(await effects()).toBe(1);
    await expect(deadLetters.dismiss(id, olga, 'too late')).rejects.toMatchObject({
      code: 'CONFLICT_DEAD_LETTER_DECIDED',
    });
  });

  it('when a redrive is cut off between effect and mark, then it waits, and the next marks it without another effect', async () => {
    const { id } = await onlyOne();
    await service.pool.query(
      `CREATE FUNCTION crash() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$;
       CREATE TRIGGER crash BEFORE UPDATE OF state ON dead_letters FOR EACH ROW EXECUTE FUNCTION crash()`,
    );
    await expect(deadLetters.redrive(id, olga)).rejects.toThrow();
    expect([(await onlyOne()).state, await effects()]).toEqual(['Waiting', 1]);
    await service.pool.query('DROP TRIGGER crash ON dead_letters');
    expect(await deadLetters.redrive(id, olga)).toMatchObject({ state: 'Redriven', attempts: 3 });
    expect(await effects()).toBe(1);
  });

  it('when the event is still invalid, then it waits with what is wrong now; when something else is, then nothing changes', async () => {
    const { id } = await onlyOne();
    isMended = false;
    expect(await deadLetters.redrive(id, olga)).toMatchObject({
      state: 'Waiting',
      reason: 'Undecodable',
      message: 'still no Thing',
      attempts: 2,
    });
    isMended = true;
    await service.pool.query('ALTER TABLE effect RENAME TO away');
    await expect(deadLetters.redrive(id, olga)).rejects.toMatchObject({ code: '42P01' });
    expect(await onlyOne()).toMatchObject({ state: 'Waiting', message: 'still no Thing' });
    await service.pool.query('ALTER TABLE away RENAME TO effect');
  });

  it('when all of a reason are redriven, then those of another wait on', async () => {
    for (const seq of [1, 2, 3]) await deadLetters.record(anEvent('b', seq), failure);
    await deadLetters.record(anEvent('b', 4), { ...failure, reason: 'EndsProcess' });
    const until = Date.now() + 60_000;
    expect(await deadLetters.redriveAll('RuleBroken', olga, 0)).toEqual({
      redriven: 0,
      failed: 0,
      isComplete: false,
    });
    expect(await deadLetters.redriveAll('RuleBroken', olga, until)).toEqual({
      redriven: 4,
      failed: 0,
      isComplete: true,
    });
    const { deadLetters: waiting } = await deadLetters.repository.list(
      { state: 'Waiting' },
      { offset: 0, limit: 10 },
    );
    expect(waiting.map(({ reason }) => reason)).toEqual(['EndsProcess']);
  });

  it('when somebody dismisses one while all of its reason are redriven, then the others are redriven all the same', async () => {
    for (const seq of [1, 2, 3]) await deadLetters.record(anEvent('b', seq), failure);
    const [last] = (await deadLetters.repository.list({}, { offset: 0, limit: 1 })).deadLetters;
    const dismissing = async (events: DomainEvent[]): Promise<void> => {
      await deadLetters.dismiss(last?.id ?? '', { operator: 'omar', requestId: 'r-2' }, 'never sold');
      await handler(events);
    };
    const redriving = new DeadLetters({
      pool: service.pool,
      consumers: [{ group: 'g', handler: dismissing }],
      log: silentLog,
    });
    expect(await redriving.redriveAll('RuleBroken', olga, Date.now() + 60_000)).toEqual({
      redriven: 3,
      failed: 0,
      isComplete: true,
    });
    expect(await effects()).toBe(3);
  });

  it('when one cannot be redriven for a fault that is not its own, then it waits on and those behind it are redriven all the same', async () => {
    await deadLetters.record(anEvent('gone', 1), { ...failure, group: 'a consumer that was removed' });
    await deadLetters.record(anEvent('b', 1), failure);
    expect(await deadLetters.redriveAll('RuleBroken', olga, Date.now() + 60_000)).toEqual({
      redriven: 2,
      failed: 1,
      isComplete: true,
    });
    expect(await effects()).toBe(2);
  });

  it('when one is dismissed, then it has no effect, and only what a person decided goes after its days', async () => {
    const { id } = await onlyOne();
    await deadLetters.record(anEvent('b', 1), failure);
    for (const unfit of ['  ', '🙂'.repeat(501)])
      await expect(deadLetters.dismiss(id, olga, unfit)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    const notes = '🙂'.repeat(500);
    const dismissed = { state: 'Dismissed', decidedBy: 'olga', notes };
    expect(await deadLetters.dismiss(id, olga, notes)).toMatchObject(dismissed);
    expect(await deadLetters.dismiss(id, olga, 'other words')).toMatchObject(dismissed);
    await expect(deadLetters.redrive(id, olga)).rejects.toMatchObject({
      code: 'CONFLICT_DEAD_LETTER_DECIDED',
    });
    await removeDecided();
    expect((await deadLetters.get(id)).state).toBe('Dismissed');
    await service.pool.query(
      `UPDATE dead_letters SET first_failed_at = now() - interval '1 year', decided_at = decided_at - interval '91 days'`,
    );
    await removeDecided();
    expect(await onlyOne()).toMatchObject({ state: 'Waiting' });
    await expect(deadLetters.get(id)).rejects.toMatchObject({ code: 'NOT_FOUND_DEAD_LETTER' });
    expect(await effects()).toBe(0);
  });
});

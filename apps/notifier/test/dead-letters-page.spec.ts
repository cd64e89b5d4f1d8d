import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPostgresEventBus, type EventBus } from '@reseller/messaging';
import { createTestDatabase, eventually, samplesFor, silentLog, type TestDatabase } from '@reseller/testing';
import { v7 as uuidv7 } from 'uuid';
import { MIGRATIONS, startNotifier, type RunningNotifier } from './start-notifier';

const ROOT = path.join(__dirname, '../../..');
/** The page's commands in their order, without those that go through the backoffice (apps/backoffice/test/dead-letters.spec.ts has those). */
const commands = samplesFor(__filename).flatMap(({ code }) => (code.startsWith('curl ') ? [] : [code]));

let database: TestDatabase;
let bus: EventBus;
let notifier: RunningNotifier;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  bus = createPostgresEventBus({ connectionString: database.url, log: silentLog });
  notifier = await startNotifier(database, { WEBHOOK_ALLOWED_PRIVATE_TARGETS: '127.0.0.1:1' });
});
afterAll(async () => {
  await notifier.stop();
  await bus.close();
  await database.drop();
});

const run = (command: string, ID: string) => {
  const env = { PATH: process.env['PATH'], ID, DATABASE_URL: database.serviceUrl };
  return promisify(execFile)('sh', ['-c', command], { cwd: ROOT, env });
};

describe('docs/operators/dead-letters.md', () => {
  it('when its commands are pasted one after another, then an event is listed, explained, tried again and dismissed', async () => {
    await bus.publish([
      {
        eventId: uuidv7(),
        topic: 'reseller.orders.order.v1',
        type: 'reseller.orders.v1.OrderCompleted',
        aggregateId: uuidv7(),
        aggregateSeq: '1',
        occurredAt: new Date(),
        payload: Buffer.from([0xff, 0xff]),
        headers: { 'request-id': 'r-1' },
      },
    ]);
    const find = async () => (await database.pool.query('SELECT id FROM dead_letters')).rows[0]?.id as string;
    await eventually(async () => expect(await find()).toBeDefined());
    const id = await find();
    const printed: string[] = [];
    for (const command of commands) printed.push((await run(command, id)).stdout);
    expect(printed).toEqual([
      expect.stringMatching(/Waiting {2}Undecodable .*\n1 of 1\n$/),
      expect.stringMatching(
        /where {7}notifier\.webhooks could not handle[\s\S]*"request-id":"r-1"[\s\S]*\/\/8=/,
      ),
      expect.stringMatching(/Waiting {2}Undecodable[\s\S]*it still waits\n$/),
      '0 redriven, 1 still wrong\nsome still wait\n',
      expect.stringMatching(/Dismissed {2}Undecodable/),
    ]);
  });

  it.each([
    ['list --state Waitin', '--state must be one of Waiting, Redriven, Dismissed, all, not Waitin'],
    [
      'redrive --as olga --reason Unknown',
      '--reason must be one of Undecodable, RuleBroken, EndsProcess, not Unknown',
    ],
  ])(
    'when the command is called with %s, then it names what there is and does nothing',
    async (args, message) => {
      await expect(run(`node dist/apps/notifier/dead-letters.js ${args}`, '')).rejects.toMatchObject({
        code: 1,
        stdout: '',
        stderr: `notifier: ${message}\n`,
      });
    },
  );
});

import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { silentLog } from '@reseller/testing';
import { PartitionWorker } from '../partition-worker';
import { Assignment, type Leftovers } from './assignment';
import { KafkaPartition } from './kafka-partition';

const PLACE = { topic: 'topic', partition: 0 };
const MESSAGE = {
  key: null,
  value: Buffer.alloc(0),
  timestamp: '0',
  attributes: 0,
  offset: '0',
  headers: {},
};

describe('assignments of one partition', () => {
  it('when several pass while a handler of the first one runs, then the last one begins once that has ended', async () => {
    const handled: (() => void)[] = [];
    const subscription = {
      group: 'group',
      topics: [PLACE.topic],
      handler: () => new Promise<void>((resolve) => handled.push(resolve)),
    };
    const deps = { subscription, log: silentLog, metrics: undefined };
    const leftovers: Leftovers = new Map();
    const assign = (): Assignment => {
      const nothing = (): void => undefined;
      const link = { write: () => Promise.resolve(true), seek: nothing, pause: nothing, resume: nothing };
      const store = new KafkaPartition(PLACE, 0n, { attempts: 0, carefulUntil: 0n }, link, 10);
      const worker = new PartitionWorker({ ...PLACE, epoch: '' }, store, deps);
      const assignment = new Assignment(leftovers);
      assignment.add({ ...PLACE, store, worker });
      assignment.take(PLACE, [MESSAGE]);
      return assignment;
    };

    for (let passed = 0; passed < 2; passed += 1) {
      const assignment = assign();
      await turn();
      await assignment.end(0);
    }
    const last = assign();
    await turn();
    expect(handled).toHaveLength(1);

    handled[0]?.();
    while (handled.length < 2) await turn();
    handled[1]?.();
    await last.end(Infinity);
    expect(leftovers.size).toBe(0);
  });
});

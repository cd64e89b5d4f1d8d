import { fork } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, silentLog } from '@reseller/testing';
import { describeWith } from '@reseller/testing/jest';
import { createEventBus } from '../src';
import { anEvent } from './event-bus.contract';
import { missing, ownPrefix, sharedUrl } from './kafka-support';
import { bundleMember } from './storm/fleet';

/** A bus, to be reached by several processes. */
interface Place {
  url: string;
  prefix: string;
  remove(): Promise<void>;
}

interface Message {
  done?: string[];
  dead?: string;
  reason?: string;
}

async function onKafka(): Promise<Place> {
  return { url: sharedUrl, prefix: ownPrefix(), remove: () => Promise.resolve() };
}

async function onPostgres(): Promise<Place> {
  const database = await createTestDatabase();
  return { url: database.url, prefix: '', remove: () => database.drop() };
}

describe('an event that ends the process of its consumer on PostgreSQL', () => consumerDies(onPostgres));
describeWith(missing, 'an event that ends the process of its consumer on Kafka', () => consumerDies(onKafka));

function consumerDies(make: () => Promise<Place>): void {
  it('when each attempt does, then the event is dead after its attempts and the rest goes on', async () => {
    const place = await make();
    const { url, prefix } = place;
    const bus = await createEventBus({ url, kafka: { prefix }, clientId: 'test', log: silentLog });
    const events = [1, 2, 3].map((seq) => anEvent('a', seq));
    const [first, poison, last] = events as [(typeof events)[0], (typeof events)[0], (typeof events)[0]];
    poison.payload = Buffer.from('poison');
    await bus.publish(events);
    const bundle = await bundleMember('dying-consumer');
    const messages: Message[] = [];
    let deaths = 0;
    let isOver = false;
    const live = (): ReturnType<typeof fork> => {
      const child = fork(bundle.file, [], {
        env: { PATH: process.env['PATH'], BUS_URL: url, PREFIX: prefix, TOPIC: first.topic },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      child.on('message', (message) => messages.push(message as Message));
      child.once('exit', () => {
        if (isOver) return;
        deaths += 1;
        current = live();
      });
      return child;
    };
    let current = live();
    await eventually(() => expect(messages.flatMap(({ done }) => done ?? [])).toContain(last.eventId), {
      timeoutMs: 90_000,
    });
    isOver = true;
    current.kill('SIGKILL');
    // In the batch with the first event, and then three times by itself.
    expect(deaths).toBe(4);
    expect(messages.flatMap(({ done }) => done ?? [])).toEqual([first.eventId, last.eventId]);
    expect(messages.filter(({ dead }) => dead)).toEqual([{ dead: poison.eventId, reason: 'EndsProcess' }]);
    await bus.close();
    await bundle.remove();
    await place.remove();
  }, 120_000);
}

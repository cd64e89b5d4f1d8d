import { fork } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { eventually, silentLog } from '@reseller/testing';
import { createKafkaEventBus } from '../src/kafka/kafka-event-bus';
import { anEvent } from './event-bus.contract';
import { ownPrefix, sharedUrl, skipped } from './kafka-support';
import { bundleMember } from './storm/fleet';

interface Message {
  done?: string[];
  dead?: string;
  error?: string;
}

(skipped ? describe.skip : describe)(`an event that ends its consumer's process${skipped}`, () => {
  it('when each attempt ends the process, then the event is dead after its attempts and the rest goes on', async () => {
    const prefix = ownPrefix();
    const bus = createKafkaEventBus({ url: sharedUrl, prefix, clientId: 'test', log: silentLog });
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
        env: { PATH: process.env['PATH'], BUS_URL: sharedUrl, PREFIX: prefix, TOPIC: first.topic },
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
    expect(messages.filter(({ dead }) => dead)).toEqual([
      { dead: poison.eventId, error: 'the consumer ended while it handled the event' },
    ]);
    await bus.close();
    await bundle.remove();
  }, 120_000);
});

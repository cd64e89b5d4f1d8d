// A consumer that a poisonous event ends at once, as a fault of native code or a lack of memory does.
import { pino } from 'pino';
import { createPostgresEventBus } from '../../src';
import { createKafkaEventBus } from '../../src/kafka/kafka-event-bus';

const env = (name: string): string => process.env[name] ?? '';
process.on('disconnect', () => process.exit(0));
const shared = { log: pino({ level: 'silent' }) };
const url = env('BUS_URL');
const bus = url.startsWith('kafka')
  ? createKafkaEventBus({ ...shared, url, prefix: env('PREFIX'), clientId: 'dying', sessionTimeoutMs: 1_500 })
  : createPostgresEventBus({ ...shared, connectionString: url, leaseMs: 1_500 });
bus.subscribe({
  group: 'g',
  topics: [env('TOPIC')],
  maxProcessEnds: 3,
  backoff: { firstMs: 10, mostMs: 100 },
  handler: (events) => {
    if (events.some(({ payload }) => payload.toString() === 'poison')) process.kill(process.pid, 'SIGKILL');
    process.send?.({ done: events.map(({ eventId }) => eventId) });
    return Promise.resolve();
  },
  deadLetters: {
    record: (event, { reason }) => {
      process.send?.({ dead: event.eventId, reason });
      return Promise.resolve();
    },
  },
});

// A consumer that a poisonous event ends at once, as a fault of native code or a lack of memory does.
import { pino } from 'pino';
import { createKafkaEventBus } from '../../src';

const env = (name: string): string => process.env[name] ?? '';
process.on('disconnect', () => process.exit(0));
createKafkaEventBus({
  url: env('BUS_URL'),
  prefix: env('PREFIX'),
  clientId: 'dying',
  log: pino({ level: 'silent' }),
  sessionTimeoutMs: 1_500,
}).subscribe({
  group: 'g',
  topics: [env('TOPIC')],
  maxAttempts: 3,
  handler: (events) => {
    if (events.some(({ payload }) => payload.toString() === 'poison')) process.kill(process.pid, 'SIGKILL');
    process.send?.({ done: events.map(({ eventId }) => eventId) });
    return Promise.resolve();
  },
  onDeadLetter: (event, error) => void process.send?.({ dead: event.eventId, error: error.message }),
});

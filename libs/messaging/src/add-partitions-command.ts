import { parseArgs } from 'node:util';
import { createSessionPool, databaseAddress } from '@reseller/database';
import {
  baseConfig,
  databaseConfig,
  eventBusConfig,
  loadConfig,
  reporting,
  runCommand,
  silentLog,
  type CommandCall,
} from '@reseller/service-kit';
import { z } from 'zod';
import { eventBusOptions } from './kafka/kafka-settings';

/** Which service writes the topics, and how the command was called. */
interface AddPartitionsCommand extends CommandCall {
  name: string;
}

const requested = z.object({
  topic: z.string().min(1),
  partitions: z.coerce.number().int().min(2).max(1_000),
});
const configuration = z.object({
  NODE_ENV: baseConfig.NODE_ENV,
  PLAINTEXT_ALLOWED: baseConfig.PLAINTEXT_ALLOWED,
  ...databaseConfig,
  ...eventBusConfig,
});

const usage = (
  name: string,
): string => `Adds partitions to a topic that ${name} writes, while it runs, and keeps the order of events within each aggregate.

  node dist/apps/${name}/add-partitions.js --topic <topic> --partitions <count>

DATABASE_…, EVENT_BUS_URL and KAFKA_… as the service has them, as a user of Kafka who may alter the topic and describe all groups.
${name}'s events wait in its outbox meanwhile, some ten seconds; callers notice nothing.
Ends with 0 when done, 1 when it could not be.`;

/** Runs the command and returns its exit code: 0 done, 1 not done. */
export function runAddPartitionsCommand(command: AddPartitionsCommand): Promise<number> {
  const { name, args, env, say } = command;
  return reporting(command, async () => {
    const { values } = parseArgs({
      args,
      options: { topic: { type: 'string' }, partitions: { type: 'string' }, help: { type: 'boolean' } },
    });
    if (values.help) {
      say(usage(name));
      return 0;
    }
    const parsed = requested.safeParse(values);
    if (!parsed.success) throw new Error(usage(name));
    const config = loadConfig(configuration, env);
    const { url, kafka = {} } = eventBusOptions(config);
    if (!url.startsWith('kafka'))
      throw new Error('EVENT_BUS_URL is not of Kafka, and only its topics have partitions');
    // Only a bus on Kafka loads its library.
    const { addPartitions, administrate } = await import('./kafka/add-partitions');
    const sessions = createSessionPool({
      ...databaseAddress(config),
      max: 1,
      name: 'add-partitions',
      log: silentLog,
    });
    const admin = administrate({ ...kafka, url, clientId: `${name}-partitions`, log: silentLog });
    try {
      const topic = `${kafka.prefix ?? ''}${parsed.data.topic}`;
      await addPartitions({ sessions, admin, topic, partitions: parsed.data.partitions, say });
    } finally {
      await Promise.all([admin.close(), sessions.end()]);
    }
    return 0;
  });
}

/** All of a service's src/commands/add-partitions.ts. */
export function addPartitionsCommand({ name }: { name: string }): void {
  runCommand((call) => runAddPartitionsCommand({ name, ...call }));
}

import { parseArgs } from 'node:util';
import { createPool, databaseAddress } from '@reseller/database';
import {
  COMMAND_OPERATOR_HELP,
  commandOperator,
  commandOperatorOption,
  createLogger,
  databaseConfig,
  loadConfig,
  reporting,
  runCommand,
  silentLog,
  type CommandCall,
} from '@reseller/service-kit';
import { z } from 'zod';
import { listParkedEvents, retryParkedEvent, skipParkedEvent } from './parked-events';

/** Which service's outbox, and how the command was called. */
interface ParkedEventsCommand extends CommandCall {
  name: string;
}

const options = {
  retry: { type: 'string' },
  skip: { type: 'string' },
  ...commandOperatorOption,
  help: { type: 'boolean' },
} as const;

const usage = (
  name: string,
): string => `Shows the events of ${name}'s outbox (DATABASE_URL) that the event bus refused for good, one JSON line each.

  node dist/apps/${name}/parked-events.js [--retry <eventId> --as <name> | --skip <eventId> --as <name>]

  --retry  publishes the event, and what waits behind it, once more
  --skip   gives the event up for ever, and publishes what waits behind it
  ${COMMAND_OPERATOR_HELP}

Ends with 0 when done, 1 when it could not be, 3 when no such event is parked.`;

/** Runs the command and returns its exit code: 0 done, 1 not done, 3 no such event is parked. */
export function runParkedEventsCommand(command: ParkedEventsCommand): Promise<number> {
  const { name, args, env, say, complain } = command;
  return reporting(command, async () => {
    const { values } = parseArgs({ args, options });
    if (values.help) {
      say(usage(name));
      return 0;
    }
    const { retry, skip } = values;
    if (retry !== undefined && skip !== undefined) throw new Error('give --retry or --skip, not both');
    const eventId = retry ?? skip;
    if (!z.uuid().optional().safeParse(eventId).success)
      throw new Error(
        `--${retry === undefined ? 'skip' : 'retry'} must be the id of an event, not ${eventId}`,
      );
    const address = databaseAddress(loadConfig(z.object(databaseConfig), env));
    const pool = createPool({ ...address, max: 1, name: 'parked-events', log: silentLog });
    try {
      if (eventId === undefined) {
        for (const event of await listParkedEvents(pool)) say(JSON.stringify(event));
        return 0;
      }
      const operator = commandOperator(values);
      const isReleased = await (retry === undefined
        ? skipParkedEvent(pool, eventId, operator)
        : retryParkedEvent(pool, eventId));
      if (isReleased) {
        const done = retry === undefined ? 'a parked event was given up' : 'a parked event was retried';
        createLogger({ name, level: 'info' }).info({ operator, eventId }, done);
        return 0;
      }
      complain(`${name}: no such event is parked: ${eventId}`);
      return 3;
    } finally {
      await pool.end();
    }
  });
}

/** All of a service's src/commands/parked-events.ts. */
export function parkedEventsCommand({ name }: { name: string }): void {
  runCommand((call) => runParkedEventsCommand({ name, ...call }));
}

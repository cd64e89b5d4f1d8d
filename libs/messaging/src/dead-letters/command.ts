import { parseArgs } from 'node:util';
import { createPool, databaseAddress } from '@reseller/database';
import {
  baseConfig,
  COMMAND_OPERATOR_HELP,
  commandOperator,
  commandOperatorOption,
  createLogger,
  databaseConfig,
  loadConfig,
  oneOf,
  reporting,
  runCommand,
  type CommandCall,
} from '@reseller/service-kit';
import type { Pool } from 'pg';
import { z } from 'zod';
import { DEAD_LETTER_REASONS, DEAD_LETTER_STATES, type DeadLetter } from './dead-letter';
import { DeadLetters, type EventHandler } from './dead-letters';
import { explain } from './explain';

const CONNECTIONS = 4;
const MOST_LISTED = 100;
const HOUR_MS = 3_600_000;
const LISTED = [...DEAD_LETTER_STATES, 'all'] as const;

/** All that the command reads from its environment. */
const commandConfig = z.object({ LOG_LEVEL: baseConfig.LOG_LEVEL, ...databaseConfig });

/** Whose dead letters, and how the command was called. */
interface DeadLettersCommand extends CommandCall {
  name: string;
  /** The service's consumers on its database, by which an event is redriven. */
  consumers: (pool: Pool) => EventHandler[];
}

const usage = (
  name: string,
): string => `Events that ${name} could not handle (docs/operators/dead-letters.md).

  node dist/apps/${name}/dead-letters.js list [--state ${LISTED.join('|')}]
  node dist/apps/${name}/dead-letters.js show <id>
  node dist/apps/${name}/dead-letters.js redrive <id> --as <name> | --reason ${DEAD_LETTER_REASONS.join('|')} --as <name>
  node dist/apps/${name}/dead-letters.js dismiss <id> --notes <why> --as <name>

  ${COMMAND_OPERATOR_HELP}

Reads DATABASE_URL and works while the service is down. Ends with 0, or 1 when it could not be done or an event still waits.`;

const options = {
  state: { type: 'string', default: 'Waiting' },
  reason: { type: 'string' },
  notes: { type: 'string' },
  ...commandOperatorOption,
  help: { type: 'boolean', default: false },
} as const;

/** Runs the command and returns its exit code: 0 done, 1 not done. */
function runDeadLettersCommand(command: DeadLettersCommand): Promise<number> {
  const { name, args, env } = command;
  return reporting(command, async () => {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    if (values.help || positionals.length === 0) {
      command.say(usage(name));
      return values.help ? 0 : 1;
    }
    const config = loadConfig(commandConfig, env);
    const log = createLogger({ name, level: config.LOG_LEVEL });
    const address = databaseAddress(config);
    const pool = createPool({ ...address, max: CONNECTIONS, name: 'dead-letters-command', log });
    try {
      const deadLetters = new DeadLetters({ pool, consumers: command.consumers(pool), log });
      return await decide(command, deadLetters, positionals, values);
    } finally {
      await pool.end();
    }
  });
}

/** All of a service's src/commands/dead-letters.ts. */
export function deadLettersCommand(of: Pick<DeadLettersCommand, 'name' | 'consumers'>): void {
  runCommand((call) => runDeadLettersCommand({ ...of, ...call }));
}

async function decide(
  { say }: DeadLettersCommand,
  deadLetters: DeadLetters,
  [verb, id = '']: string[],
  values: { state: string; reason?: string; notes?: string; as?: string },
): Promise<number> {
  if (verb === 'list') {
    const state = oneOf('state', LISTED, values.state);
    const filter = state === 'all' ? {} : { state };
    const found = await deadLetters.repository.list(filter, { offset: 0, limit: MOST_LISTED });
    for (const letter of found.deadLetters) say(lineOf(letter));
    say(`${found.deadLetters.length} of ${found.totalCount}`);
    return 0;
  }
  if (verb === 'show') {
    for (const line of linesOf(await deadLetters.get(id))) say(line);
    return 0;
  }
  const by = { operator: commandOperator(values), requestId: undefined };
  if (verb === 'redrive' && values.reason !== undefined) {
    const reason = oneOf('reason', DEAD_LETTER_REASONS, values.reason);
    const run = await deadLetters.redriveAll(reason, by, Date.now() + HOUR_MS);
    say(`${run.redriven} redriven, ${run.failed} still wrong`);
    return run.failed === 0 ? 0 : 1;
  }
  if (verb === 'redrive') {
    const letter = await deadLetters.redrive(id, by);
    say(lineOf(letter));
    return letter.state === 'Redriven' ? 0 : 1;
  }
  if (verb === 'dismiss') {
    say(lineOf(await deadLetters.dismiss(id, by, values.notes ?? '')));
    return 0;
  }
  throw new Error(`${verb} is none of list, show, redrive and dismiss; see --help`);
}

const lineOf = ({ id, state, reason, firstFailedAt, group, event, message }: DeadLetter): string =>
  [id, state, reason, firstFailedAt.toISOString(), group, event.type || event.topic, message].join('  ');

function linesOf(letter: DeadLetter): string[] {
  const { where, whatToDo } = explain(letter);
  const { event, decidedBy, decidedAt, notes } = letter;
  return [
    lineOf(letter),
    `what        ${letter.message}`,
    `where       ${where}`,
    `what to do  ${whatToDo}`,
    `event       ${event.eventId}, happened ${event.occurredAt.toISOString()}`,
    `headers     ${JSON.stringify(event.headers)}`,
    `payload     ${event.payload.toString('base64')}`,
    `attempts    ${letter.attempts}, last ${letter.lastFailedAt.toISOString()}`,
    ...(decidedAt ? [`decided     ${decidedAt.toISOString()} by ${decidedBy}: ${notes ?? ''}`] : []),
    letter.detail,
  ];
}

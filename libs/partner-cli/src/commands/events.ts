import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { CursorStore, Schema } from '@reseller/client';
import type { Command } from 'commander';
import { performAs } from '../context.ts';

type Event = Schema<'Event', 'string'>;

/** What an event is about, on one line. */
export function lineOf({ occurredAt, eventType, eventId, data }: Event): string {
  const about = 'orderGlobalId' in data ? data.orderGlobalId : 'variantId' in data ? data.variantId : '';
  const status = 'status' in data ? String(data.status) : '';
  return [occurredAt, eventType.padEnd(30), about, status, eventId].filter(Boolean).join('  ');
}

/** A cursor that is kept in a file. */
const inFile = (file: string): CursorStore => ({
  load: () => (existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined),
  save: (cursor) => writeFileSync(file, `${cursor}\n`),
});

/** The signal that ends a command that follows something: Ctrl-C. */
function untilInterrupted(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}

/** Runs what follows something until it is interrupted, which is how it ends well. */
export async function follow(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const signal = untilInterrupted();
  try {
    await work(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

interface TailOptions {
  type?: string[];
  cursor?: string;
  once?: boolean;
}

/** `reseller events`: follow the feed. */
export function addEvents(program: Command): void {
  const events = program.command('events').description('everything that happens to your orders');
  events
    .command('tail')
    .description('every event kept, oldest first, and then each as it happens; Ctrl-C ends it')
    .option('--type <type...>', 'only these types, such as order.completed')
    .option('--cursor <file>', 'keep how far it has read in this file, and go on from there next time')
    .option('--once', 'end once there is nothing more')
    .action(({ type, cursor, once }: TailOptions, command: Command) =>
      performAs(command, ({ client, output }) =>
        follow(async (signal) => {
          const feed = client.followEvents({
            signal,
            ...(type && { eventType: type }),
            ...(cursor && { cursor: inFile(cursor) }),
            ...(once && { untilCaughtUp: true }),
          });
          for await (const event of feed) output.line(event, lineOf(event));
        }),
      ),
    );
}

import { logLevel, type logCreator } from 'kafkajs';
import type { Logger } from 'pino';

const sameAgainAfterMs = 10_000;
/** It does, and so a producer is thrown away after a failure. */
const limitedRetries = 'Limiting retries for the idempotent producer';

type Told = Map<string, { at: number; since: number }>;
/** By log, since a client lives no longer than its connection. */
const toldIn = new WeakMap<object, Told>();

function toldBy(log: object): Told {
  const told = toldIn.get(log) ?? new Map();
  toldIn.set(log, told);
  return told;
}

/**
 * kafkajs's own words in the service's log: what it calls an error is a warning, since whoever uses it tries again and
 * says so itself. One that repeats, as in an outage, is told every ten seconds with a count.
 */
export function kafkaLog(log: Pick<Logger, 'warn' | 'error'>): logCreator {
  const told = toldBy(log);
  return () => (entry) => {
    if (entry.log.message.startsWith(limitedRetries)) return;
    const { message, error, broker, topic, partition, groupId } = entry.log;
    const key = `${entry.namespace}/${message}/${String(broker ?? '')}`;
    const last = told.get(key);
    if (last && Date.now() - last.at < sameAgainAfterMs) {
      last.since += 1;
      return;
    }
    if (told.size > 1_000) told.clear();
    told.set(key, { at: Date.now(), since: 0 });
    const details = { broker, topic, partition, group: groupId as unknown, reason: textOf(error) };
    const repeated = last && last.since > 0 ? { unsaid: last.since } : {};
    // Only then are events skipped that nobody handled: retention has removed them.
    const isLoss = entry.level === logLevel.ERROR && message.startsWith('Offset out of range');
    log[isLoss ? 'error' : 'warn']({ ...details, ...repeated }, `kafka: ${message}`);
  };
}

function textOf(error: unknown): string | undefined {
  if (error === undefined || error === null) return undefined;
  return error instanceof Error ? error.message : String(error);
}

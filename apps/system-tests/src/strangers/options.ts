import { parseArgs } from 'node:util';
import { STRANGERS } from './stranger-list';

/** What a run of the strangers does. */
export interface StrangersOptions {
  /** The names of the clients that are made. */
  readonly only: readonly string[];
  /** Whether what was made stays, for a look at it. */
  readonly isKept: boolean;
}

/** Reads the command line: --only=java,go --keep. */
export function parseStrangersOptions(args: string[]): StrangersOptions {
  const { values } = parseArgs({ args, options: { only: { type: 'string' }, keep: { type: 'boolean' } } });
  const names = STRANGERS.map(({ name }) => name);
  const only = values.only?.split(',') ?? names;
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`--only takes ${names.join(', ')}, not ${unknown.join(', ')}`);
  return { only, isKept: values.keep ?? false };
}

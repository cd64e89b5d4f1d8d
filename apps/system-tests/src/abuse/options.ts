import { parseArgs } from 'node:util';

/** How long the abuse lasts and what is drawn. */
export interface AbuseOptions {
  readonly seed: number;
  /** How often every shape meets every call; 0 leaves them out. */
  readonly rounds: number;
  /** Takes the place of rounds: as many as fit. */
  readonly seconds: number | undefined;
  /** The calls that are abused: every so manyth one, from this number on. */
  readonly shard: { readonly number: number; readonly of: number };
  /** Only shapes and slow callers whose name holds this text. */
  readonly only: string;
  /** Whether schemathesis has a go as well. */
  readonly hasSchemathesis: boolean;
}

/** Reads the command line: --seed=N --rounds=1 or --seconds=N, --shard=1/4, --only=text, --schemathesis. */
export function parseAbuseOptions(args: string[]): AbuseOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: {
      seed: text,
      rounds: text,
      seconds: text,
      shard: text,
      only: text,
      schemathesis: { type: 'boolean', default: false },
    },
  });
  return {
    seed: whole('seed', values.seed ?? String(Date.now() % 1_000_000_000)),
    rounds: whole('rounds', values.rounds ?? '1'),
    seconds: values.seconds === undefined ? undefined : whole('seconds', values.seconds),
    shard: shardOf(values.shard ?? '1/1'),
    only: values.only ?? '',
    hasSchemathesis: values.schemathesis,
  };
}

function whole(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`--${name} is a whole number, not ${text}`);
  return Number(text);
}

function shardOf(text: string): AbuseOptions['shard'] {
  const [number = 0, of = 0] = text.split('/').map(Number);
  if (!/^\d+\/\d+$/.test(text) || number < 1 || number > of)
    throw new Error(`--shard is a number of so many, such as 1/4, not ${text}`);
  return { number, of };
}

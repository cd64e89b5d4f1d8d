import { parseArgs } from 'node:util';

/** How long the abuse lasts and what is drawn. */
export interface AbuseOptions {
  readonly seed: number;
  /** How often every shape meets every call; 0 leaves them out. */
  readonly rounds: number;
  /** Takes the place of rounds: as many as fit. */
  readonly seconds: number | undefined;
  /** Only shapes and slow callers whose name holds this text. */
  readonly only: string;
  /** Whether schemathesis has a go as well. */
  readonly hasSchemathesis: boolean;
}

/** Reads the command line: --seed=N --rounds=1 or --seconds=N, --only=text, --schemathesis. */
export function parseAbuseOptions(args: string[]): AbuseOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: {
      seed: text,
      rounds: text,
      seconds: text,
      only: text,
      schemathesis: { type: 'boolean', default: false },
    },
  });
  return {
    seed: whole('seed', values.seed ?? String(Date.now() % 1_000_000_000)),
    rounds: whole('rounds', values.rounds ?? '1'),
    seconds: values.seconds === undefined ? undefined : whole('seconds', values.seconds),
    only: values.only ?? '',
    hasSchemathesis: values.schemathesis,
  };
}

function whole(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`--${name} is a whole number, not ${text}`);
  return Number(text);
}

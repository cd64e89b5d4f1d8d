import { LARGEST_ERROR_BYTES } from './judge';
import type { Rule } from './judge';
import { nameOf } from './operations';
import type { Operation } from './operations';
import type { Tally } from './send-attempts';
import { lineOf } from './verdict';
import type { Line } from './verdict';

const RULES: readonly [Rule, string][] = [
  ['no 5xx', 'none but 503'],
  ['Retry-After', 'with each 503 and 429'],
  ['size', `${LARGEST_ERROR_BYTES} bytes at most`],
  ['envelope', 'every error'],
  ['X-Request-Id', 'every response'],
  ['a response', 'to every request, whole'],
];

/** What the responses of a run are held to. */
export function responseLines(tally: Tally, operations: readonly Operation[]): Line[] {
  const unreached = operations.map(nameOf).filter((name) => !tally.reached.has(name));
  const rules = RULES.map(([rule, bound]) => {
    const broken = tally.faults.filter((fault) => fault.rule === rule).map(({ text }) => text);
    const figure = rule === 'size' ? `largest ${tally.largestError} bytes` : `${broken.length} broken`;
    return lineOf(`responses: ${rule}`, figure, bound, broken);
  });
  const reached = `${operations.length - unreached.length} of ${operations.length}`;
  return [...rules, lineOf('calls that looked at a hostile request', reached, 'all', unreached)];
}

/** Responses by status, for people. */
export const statusesOf = ({ statuses }: Tally): string =>
  [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ');

const LONGEST_SHAPES = 8;

/** Where the time of a run went, for people: the shapes whose attempts took longest together. */
export const longestShapes = ({ msByShape }: Tally): string =>
  [...msByShape]
    .sort(([, a], [, b]) => b - a)
    .slice(0, LONGEST_SHAPES)
    .map(([name, ms]) => `${name} ${(ms / 1_000).toFixed(0)} s`)
    .join(', ');

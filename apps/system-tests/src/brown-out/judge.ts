import { isUnaffected, type BrownOutCell } from './cells';
import type { Sample } from './load';
import type { BrownOutRoute } from './routes';

/** Past its deadline a response has this long to travel. */
const GRACE_MS = 1_000;

/** A busy machine may cost one in so many requests its time; a fault that lasts costs more. */
const ONE_IN = 10;

/**
 * What no partner may get, and what those may not get who need nothing of the part that is unwell; without a watch on the time
 * these must be served at least once.
 */
export function judge(samples: readonly Sample[], cell: BrownOutCell, isTimed: boolean): string[] {
  const isServed = (route: BrownOutRoute): boolean => {
    const all = samples.filter((sample) => sample.route === route);
    const served = all.filter(({ code }) => code === 'SUCCESS').length;
    return isTimed ? all.length - served <= all.length / ONE_IN : served > 0;
  };
  const wrong = samples.flatMap((sample) => {
    const { route, code, fault, ms } = sample;
    if (fault !== undefined) return [{ sample, what: fault }];
    if (isTimed && ms > route.deadlineMs + GRACE_MS)
      return [{ sample, what: `after ${Math.round(ms)} ms: ${code}` }];
    if (code === 'SUCCESS' || !isUnaffected(route, cell) || isServed(route)) return [];
    return [{ sample, what: `${code}, and needs nothing of ${cell.part}` }];
  });
  return summarize(wrong);
}

/** One line for what is alike. */
function summarize(wrong: readonly { sample: Sample; what: string }[]): string[] {
  const kinds = new Map<string, string[]>();
  for (const { sample, what } of wrong) {
    const kind = `${sample.route.name}: ${what.replace(/\d{3,}|[0-9a-f-]{36}/g, '…').slice(0, 60)}`;
    const line = `${sample.route.name}, ${(sample.at / 1_000).toFixed(1)} s: ${what}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), line]);
  }
  return [...kinds.values()].map(([first, ...more]) =>
    more.length === 0 ? first! : `${first!} (and ${more.length} like it)`,
  );
}

import type { Schemas } from '../api/client';

type Entry = Schemas['OrderTimeline']['entries'][number];

/** One try of something: from when until when, and what came of it. */
export interface Bar {
  readonly from: number;
  readonly to: number;
  readonly outcome: string;
  /** It has not ended yet. */
  readonly isOpen: boolean;
  /** It took no time: a note, a movement of money. */
  readonly isPoint: boolean;
}

/** A row of the picture: a step, a movement or a delivery with all its tries. */
export interface Span {
  readonly kind: Entry['type'];
  readonly name: string;
  readonly bars: readonly Bar[];
}

/** What a step's beginning is recorded as. */
const BEGUN = 'Intent';

/** The rows of an order's picture, in the order in which they began; what is still open lasts until `now`. */
export function spansOf(entries: readonly Entry[], now: number): readonly Span[] {
  const steps = new Map<string, { name: string; bars: Bar[] }>();
  const others: Span[] = [];
  for (const entry of entries) {
    const at = Date.parse(entry.occurredAt);
    if (entry.type === 'SagaStep') addStep(steps, entry.step, entry.outcome, at);
    else if (entry.type === 'WebhookDelivery') others.push(deliverySpan(entry, at, now));
    else others.push({ kind: entry.type, name: nameOfMovement(entry), bars: [pointAt(at, entry.outcome)] });
  }
  const sagas = [...steps.values()].map(({ name, bars }) => ({
    kind: 'SagaStep' as const,
    name,
    bars: bars.map((bar) => (bar.isOpen ? { ...bar, to: Math.max(bar.from, now) } : bar)),
  }));
  return [...sagas, ...others].sort((one, other) => startOf(one) - startOf(other));
}

const startOf = ({ bars }: Span): number => bars[0]?.from ?? 0;
const pointAt = (at: number, outcome: string): Bar => ({
  from: at,
  to: at,
  outcome,
  isOpen: false,
  isPoint: true,
});

function nameOfMovement({ details: { referenceType } }: Schemas['MoneyEntry']): string {
  return referenceType;
}

/** A result ends what was begun last; a beginning over an open one, as after a crash, is another try of it. */
function addStep(
  steps: Map<string, { name: string; bars: Bar[] }>,
  name: string,
  outcome: string,
  at: number,
): void {
  const step = steps.get(name) ?? { name, bars: [] };
  steps.set(name, step);
  const last = step.bars.at(-1);
  if (outcome === BEGUN) {
    if (last?.isOpen) step.bars.splice(-1, 1, { ...last, to: at, isOpen: false });
    step.bars.push({ from: at, to: at, outcome, isOpen: true, isPoint: false });
  } else if (last?.isOpen) step.bars.splice(-1, 1, { ...last, to: at, outcome, isOpen: false });
  else step.bars.push(pointAt(at, outcome));
}

/** A delivery is from when it was due: its attempts, and the wait for the next one. */
function deliverySpan({ details }: Schemas['WebhookEntry'], at: number, now: number): Span {
  const attempts = details.attempts.map(({ attemptedAt, durationMs, errorSummary }) => {
    const from = Date.parse(attemptedAt);
    const outcome = errorSummary ? 'Failed' : 'Delivered';
    return { from, to: from + durationMs, outcome, isOpen: false, isPoint: false };
  });
  const last = attempts.at(-1)?.to ?? at;
  const waiting = { from: last, to: Math.max(last, now), outcome: 'Pending', isOpen: true, isPoint: false };
  const bars = details.status === 'Pending' ? [...attempts, waiting] : attempts;
  return {
    kind: 'WebhookDelivery',
    name: details.eventType,
    bars: bars.length > 0 ? bars : [pointAt(at, details.status)],
  };
}

/** How long a row took in all, from its first beginning to its last end; undefined for what took no time. */
export function durationOf({ bars }: Span): number | undefined {
  if (bars.every(({ isPoint }) => isPoint)) return undefined;
  return Math.max(...bars.map(({ to }) => to)) - Math.min(...bars.map(({ from }) => from));
}

/** A time in which nothing happened, drawn narrower than it was. */
interface Gap {
  readonly from: number;
  readonly to: number;
}

/** Where moments are drawn, from 0 to 1. */
export interface Scale {
  readonly gaps: readonly Gap[];
  place(at: number): number;
}

/** A gap is as wide as this share of all that is no gap, however long it was. */
const GAP_SHARE = 0.12;

/**
 * Moments in proportion, but for long times in which nothing was under way: an order of some milliseconds whose webhook goes out an
 * hour later, or that an operator decides on the next day, would be two dots at the edges.
 */
export function scaleOf(spans: readonly Span[]): Scale {
  const bars = spans.flatMap((span) => span.bars).sort((one, other) => one.from - other.from);
  const busy: { from: number; to: number }[] = [];
  for (const { from, to } of bars) {
    const last = busy.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else busy.push({ from, to });
  }
  const busyMs = Math.max(
    1,
    busy.reduce((sum, { from, to }) => sum + to - from, 0),
  );
  const width = busyMs * GAP_SHARE;
  const pieces = busy.flatMap(({ from, to }, index) => {
    const next = busy[index + 1];
    const own = { from, to, size: to - from, isGap: false };
    if (!next) return [own];
    const idle = next.from - to;
    return [own, { from: to, to: next.from, size: Math.min(idle, width), isGap: idle > width }];
  });
  const total = Math.max(
    1,
    pieces.reduce((sum, { size }) => sum + size, 0),
  );
  return {
    gaps: pieces.filter(({ isGap }) => isGap).map(({ from, to }) => ({ from, to })),
    place(at) {
      let before = 0;
      for (const { from, to, size } of pieces) {
        if (at < to)
          return (before + (to === from ? 0 : (Math.max(0, at - from) / (to - from)) * size)) / total;
        before += size;
      }
      return before / total;
    },
  };
}

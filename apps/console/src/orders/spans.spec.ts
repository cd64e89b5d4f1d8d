import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Schemas } from '../api/client';
import { durationOf, scaleOf, spansOf, type Span } from './spans';

type Entry = Schemas['OrderTimeline']['entries'][number];

const NOON = Date.parse('2026-03-01T12:00:00Z');
const step = (name: string, outcome: string, at: number): Entry => ({
  type: 'SagaStep',
  step: name,
  outcome,
  occurredAt: new Date(NOON + at).toISOString(),
  details: null,
});

describe('the rows of an order’s picture', () => {
  it('when a step is begun and ends, then it is one bar from the one to the other', () => {
    const [span] = spansOf(
      [step('funds.reserve', 'Intent', 0), step('funds.reserve', 'Done', 12)],
      NOON + 99,
    );
    expect(span).toMatchObject({ name: 'funds.reserve', bars: [{ outcome: 'Done', isOpen: false }] });
    expect(span && durationOf(span)).toBe(12);
  });

  it('when a step is begun again, before its end or after it, then its row has a bar for each try', () => {
    const [span, ...others] = spansOf(
      [
        step('vendor.submit', 'Intent', 0),
        step('vendor.submit', 'Intent', 10),
        step('vendor.submit', 'Failed', 20),
        step('vendor.submit', 'Intent', 30),
      ],
      NOON + 50,
    );
    expect(others).toEqual([]);
    expect(span?.bars.map(({ from, to, isOpen }) => [from - NOON, to - NOON, isOpen])).toEqual([
      [0, 10, false],
      [10, 20, false],
      [30, 50, true],
    ]);
  });

  it('when an entry has no beginning, as a note, then it is a point and took no time', () => {
    const [span] = spansOf([step('order.created', 'Done', 0)], NOON);
    expect(span?.bars).toMatchObject([{ isPoint: true }]);
    expect(span && durationOf(span)).toBeUndefined();
  });

  it('when a delivery waits for its next attempt, then its attempts are bars and so is the wait', () => {
    const at = new Date(NOON).toISOString();
    const attempt = { attemptNumber: 1, attemptedAt: at, responseStatus: 500, durationMs: 40 };
    const details = {
      ...{ id: 'd', subscriptionId: 's', eventId: 'e', eventType: 'order.completed', status: 'Pending' },
      ...{ attemptCount: 1, lastAttemptAt: at, nextAttemptAt: at, responseStatus: 500, durationMs: 40 },
      ...{ errorSummary: 'Delivery failed', isTest: false, createdAt: at },
      attempts: [{ ...attempt, errorSummary: 'Delivery failed' }],
    } as Schemas['WebhookDelivery'];
    const entry: Entry = {
      type: 'WebhookDelivery',
      step: 'webhook',
      outcome: 'Pending',
      occurredAt: at,
      details,
    };
    const [span] = spansOf([entry], NOON + 1_000);
    expect(span?.bars.map(({ from, to, isOpen }) => [from - NOON, to - NOON, isOpen])).toEqual([
      [0, 40, false],
      [40, 1_000, true],
    ]);
  });
});

describe('where moments are drawn', () => {
  const bars = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 0, max: 1e7 })).map(([from, length]) => ({
      ...{ from, to: from + length, outcome: 'Done', isOpen: false, isPoint: length === 0 },
    })),
    { minLength: 1, maxLength: 12 },
  );
  const spanOf = (one: Span['bars']): Span => ({ kind: 'SagaStep', name: 'x', bars: one });

  it('when any times are drawn, then none stands before an earlier one, and all are within the picture', () => {
    fc.assert(
      fc.property(bars, (given) => {
        const { place } = scaleOf([spanOf(given)]);
        const places = given
          .flatMap(({ from, to }) => [from, to])
          .sort((one, other) => one - other)
          .map(place);
        expect(
          places.every((at, index) => at >= 0 && at <= 1 + 1e-9 && at >= (places[index - 1] ?? 0) - 1e-9),
        ).toBe(true);
      }),
    );
  });

  it('when hours lie between some milliseconds, then the hours are a narrow gap', () => {
    const short = (from: number) => ({ from, to: from + 50, outcome: 'Done', isOpen: false, isPoint: false });
    const { gaps, place } = scaleOf([spanOf([short(0), short(3_600_000)])]);
    expect(gaps).toEqual([{ from: 50, to: 3_600_000 }]);
    expect(place(50)).toBeGreaterThan(0.4);
    expect(place(3_600_000) - place(50)).toBeLessThan(0.15);
  });
});

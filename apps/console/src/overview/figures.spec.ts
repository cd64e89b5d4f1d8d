import { describe, expect, it } from '@jest/globals';
import type { Schemas } from '../api/client';
import { bucketsOf, sumOf, totalsOf } from './figures';

const hour = (at: string, status: 'Completed' | 'Failed', count: number, amount: number) => ({
  ...{ hour: at, productType: 'Topup' as const, status, count, amount },
});
const byStatus = ({ status }: Schemas['HourOfOrders']): string => status;

describe('the figures of the overview', () => {
  it('when amounts are added, then no halala is lost to binary fractions', () => {
    expect(sumOf([0.1, 0.2])).toBe(0.3);
    expect(sumOf(Array.from({ length: 1_000 }, () => 0.07))).toBe(70);
  });

  it('when a time is short, then every hour of it is there, those without orders too', () => {
    const orders = [hour('2026-03-01T10:00:00.000Z', 'Completed', 2, 21.5)];
    const span = { from: '2026-03-01T09:30:00.000Z', to: '2026-03-01T12:00:00.000Z' };
    const buckets = bucketsOf({ orders, ...span }, byStatus);
    expect(buckets.map(({ at, counts }) => [at.slice(11, 13), counts])).toEqual([
      ['09', {}],
      ['10', { Completed: 2 }],
      ['11', {}],
    ]);
    expect(buckets[1]).toMatchObject({ until: buckets[2]?.at, amounts: { Completed: 21.5 } });
  });

  it('when a time is long, then it is shown by days, each with all of its hours', () => {
    const orders = [
      hour('2026-03-01T10:00:00.000Z', 'Completed', 2, 0.1),
      hour('2026-03-01T23:00:00.000Z', 'Completed', 1, 0.2),
    ];
    const span = { from: '2026-03-01T00:00:00.000Z', to: '2026-03-08T00:00:00.000Z' };
    const buckets = bucketsOf({ orders, ...span }, byStatus);
    expect(buckets).toHaveLength(7);
    expect(buckets[0]).toMatchObject({ counts: { Completed: 3 }, amounts: { Completed: 0.3 } });
  });

  it('when totals are taken, then the most frequent stands first', () => {
    const orders = [
      hour('2026-03-01T10:00:00.000Z', 'Failed', 1, 5),
      hour('2026-03-01T11:00:00.000Z', 'Completed', 4, 40),
    ];
    expect(totalsOf(orders, byStatus).map(({ key, count }) => [key, count])).toEqual([
      ['Completed', 4],
      ['Failed', 1],
    ]);
  });
});

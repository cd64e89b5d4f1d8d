import { describe, expect, it } from '@jest/globals';
import { historyOf, type StatusChange } from './history';
import type { OrderStatus } from './order';

const at = (second: number): Date => new Date(second * 1000);
const change = (second: number, status: OrderStatus): StatusChange => ({ occurredAt: at(second), status });
const statuses = (status: OrderStatus, completedAt: Date | null, logged: StatusChange[] = []) =>
  historyOf({ status, submittedAt: at(0), completedAt }, logged).map((entry) => entry.status);

describe('the statuses that an order took (spec §17.1)', () => {
  it('when all of them were logged, then they follow its submission', () => {
    const logged = [change(1, 'Processing'), change(2, 'Completed'), change(3, 'Reversed')];
    expect(statuses('Reversed', at(2), logged)).toEqual(['Pending', 'Processing', 'Completed', 'Reversed']);
    expect(statuses('Pending', null)).toEqual(['Pending']);
  });

  it('when the order is older than its log, then its first end is known by completedAt', () => {
    expect(statuses('Failed', at(2))).toEqual(['Pending', 'Failed']);
    expect(statuses('Reversed', at(2))).toEqual(['Pending', 'Completed']);
    expect(statuses('Completed', at(2), [change(1, 'Processing')])).toEqual([
      'Pending',
      'Processing',
      'Completed',
    ]);
  });
});

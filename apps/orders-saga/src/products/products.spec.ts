import { describe, expect, it } from '@jest/globals';
import { isAppError } from '@reseller/errors';
import fc from 'fast-check';
import { checkMove, type Moves } from '../order/domain/moves';
import { ORDER_STATUSES, type OrderStatus } from '../order/domain/order';
import { CRASH_POINTS } from '../crash-points';
import { intentOf } from '../saga/domain/journal';
import { PRODUCTS } from '.';

const status = fc.constantFrom(...ORDER_STATUSES);

const movesOf = (name: string): Moves => PRODUCTS.find((product) => product.name === name)!.moves;
const vendorMoves = fc.constantFrom(...PRODUCTS.filter(({ vendor }) => vendor).map(({ moves }) => moves));

describe('checkMove', () => {
  it('when any two statuses of a scent order are given, then only the moves of spec §7.3 are made', () => {
    const spec = new Set([
      'Pending>Processing',
      'Pending>InterventionRequired',
      'InterventionRequired>Processing',
      'InterventionRequired>Failed',
      'InterventionRequired>Cancelled',
      'Processing>PartiallyDelivered',
      'Processing>Completed',
      'Processing>Cancelled',
      'PartiallyDelivered>Completed',
      'Completed>PartiallyReturned',
      'Completed>Returned',
      'PartiallyReturned>Returned',
    ]);
    fc.assert(
      fc.property(status, status, (from, to) => {
        expect(isMoved(movesOf('Scent'), from, to)).toBe(from === to || spec.has(`${from}>${to}`));
      }),
      { numRuns: 500 },
    );
  });

  it('when any two statuses are given, then only the moves of spec §4.4 are made', () => {
    const spec = new Set([
      'Pending>Processing',
      'Pending>Cancelled',
      'Processing>Completed',
      'Processing>Failed',
      'Processing>InterventionRequired',
      'InterventionRequired>Completed',
      'InterventionRequired>Failed',
      'Completed>Reversed',
    ]);
    fc.assert(
      fc.property(vendorMoves, status, status, (moves, from, to) => {
        expect(isMoved(moves, from, to)).toBe(from === to || spec.has(`${from}>${to}`));
      }),
      { numRuns: 500 },
    );
  });

  it('when any walk of allowed moves is taken, then Failed, Cancelled and Reversed are never left', () => {
    fc.assert(
      fc.property(fc.array(status, { maxLength: 12 }), (wishes) => {
        const walked: OrderStatus[] = ['Pending'];
        for (const to of wishes) {
          const from = walked.at(-1)!;
          if (isMoved(movesOf('Topup'), from, to)) walked.push(to);
        }
        const end = walked.findIndex((one) => ['Failed', 'Cancelled', 'Reversed'].includes(one));
        expect(end < 0 || walked.slice(end).every((one) => one === walked[end])).toBe(true);
        expect(
          walked.filter((one, at) => one === 'Completed' && walked[at - 1] !== one).length,
        ).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('when a status is final for a repeated create, then nothing but a reversal follows it', () => {
    for (const { moves, underway } of PRODUCTS.filter(({ vendor }) => vendor)) {
      const reachable = ['Pending', ...Object.values(moves).flat()];
      for (const one of ORDER_STATUSES.filter(
        (known) => reachable.includes(known) && !underway.includes(known),
      )) {
        expect(moves[one] ?? []).toEqual(one === 'Completed' ? ['Reversed'] : []);
      }
    }
  });
});

function isMoved(moves: Moves, from: OrderStatus, to: OrderStatus): boolean {
  try {
    return checkMove(moves, from, to) === to;
  } catch (error) {
    expect(isAppError(error) && error.code).toBe('CONFLICT_ORDER_STATE');
    return false;
  }
}

describe('the list of products', () => {
  it('when products are compared, then no two share a name, a prefix or a type', () => {
    for (const field of ['name', 'idPrefix', 'type'] as const) {
      expect(new Set(PRODUCTS.map((product) => product[field])).size).toBe(PRODUCTS.length);
    }
  });

  it('when the steps of their plans are listed, then a process can be killed before and after each', () => {
    for (const step of PRODUCTS.flatMap(({ plan }) => Object.keys(plan.steps))) {
      expect(CRASH_POINTS).toEqual(expect.arrayContaining([`${step}.before`, `${step}.after`]));
    }
  });

  it('when a plan goes on to a step, then it has that step', () => {
    for (const { plan, decisions } of PRODUCTS) {
      const steps = Object.keys(plan.steps);
      const moves = Object.values(plan.steps)
        .flatMap(({ done, refused }) => [done, refused])
        .flatMap((move) => (move?.kind === 'withdraw' ? [move.onceSeen] : [move]));
      const next = moves.flatMap((move) => (move?.kind === 'go' ? [move.step] : []));
      const decided = Object.values(decisions).flatMap((rule) =>
        steps.map((step) => rule.next([intentOf([], step)])).filter((opened) => opened !== undefined),
      );
      for (const step of [plan.first, ...next, ...decided]) expect(steps).toContain(step);
    }
  });
});

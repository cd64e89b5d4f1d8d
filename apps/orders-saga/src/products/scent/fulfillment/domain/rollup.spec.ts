import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Moves } from '../../../../order/domain/moves';
import type { OrderStatus } from '../../../../order/domain/order';
import { SCENT_MOVES } from '../../domain/scent-moves';
import { rollUp } from './rollup';

const group = fc.constantFrom('Pending', 'Shipped', 'Delivered', 'Cancelled');
const line = fc.tuple(fc.integer({ min: 1, max: 3 }), fc.nat({ max: 3 }));

describe('an order’s status after its groups and returns (spec §7.3)', () => {
  it('when groups and returns are as they may be, then every status passed is an allowed move and the end is stable', () => {
    const status = fc.constantFrom<OrderStatus>('Processing', 'PartiallyDelivered');
    fc.assert(
      fc.property(status, fc.array(fc.tuple(group, line), { minLength: 1, maxLength: 4 }), (from, drawn) => {
        const groups = drawn.map(([one], id) => ({ id: String(id), status: one }));
        const lines = drawn.map(([one, [quantity, back]], id) => ({
          groupId: String(id),
          quantity,
          returnedQuantity: one === 'Delivered' ? Math.min(quantity, back) : 0,
        }));
        const isDelivered = groups.some((one) => one.status === 'Delivered');
        fc.pre(from === 'Processing' || isDelivered);
        const passed = rollUp(from, { groups, lines });
        let at = from;
        for (const next of passed) {
          expect((SCENT_MOVES as Moves)[at]).toContain(next);
          at = next;
        }
        expect(rollUp(at, { groups, lines })).toEqual([]);
        const isOver = groups.every((one) => ['Delivered', 'Cancelled'].includes(one.status));
        expect(passed[0] === 'Completed').toBe(isOver && isDelivered);
        expect(passed.includes('Cancelled')).toBe(isOver && !isDelivered);
      }),
    );
  });
});

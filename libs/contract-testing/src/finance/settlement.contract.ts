import { expect, isRepeatable, rpc, service, steps, uuidv7 } from '../prelude';
import type { Message, World } from '../prelude';
import { funded, keepsDecision, orderOf } from './arrange';

const NEW = `ORD-${uuidv7()}`;

/** Units of an order's line, and what they cost. */
const line = (quantity: number, goods: string, vat: string, commission: string, commissionVat: string) => ({
  line_id: uuidv7(),
  quantity,
  goods_amount: goods,
  goods_vat_amount: vat,
  commission_amount: commission,
  commission_vat_amount: commissionVat,
});
const threeUnits = () => line(3, '200.00', '30.00', '20.00', '3.00');

/** An order of 230.00 of a partner's 1000.00, after these RPCs. */
const order =
  (...rpcs: string[]) =>
  async (world: World) => {
    const partner = await funded(world, '1000.00');
    const request = orderOf('230.00', { lines: [threeUnits()] });
    for (const name of rpcs) await partner.call(name, request);
    return [partner, request] as const;
  };

/** So many units of the order's line, as one refund. */
const units =
  (quantity: number, operation_key = uuidv7()) =>
  ({ lines }: Message) => ({
    operation_key,
    lines: (lines as Message[]).map(({ line_id }) => ({ line_id, quantity })),
  });

/** Charging a scent order with its commission, and giving single units back. */
export const settlements = service('SettlementService', {
  SettleOrder: rpc(order('ReserveFunds'), {
    ...keepsDecision,
    'charges the sum of the lines and credits the commission at one moment': async (use, given) => {
      const replies = await steps({}, 'GetBalance', 'ListTransactionsByReference')(use, given);
      const [{ settled_at } = {}, , ledger] = replies as Message[];
      expect(ledger?.transactions).toMatchObject([{ occurred_at: settled_at }, {}]);
      return replies;
    },
    'repeated, it returns the first outcome and charges once': isRepeatable('GetBalance'),
    'an order of 0.00 needs no reservation and posts no line': [
      { ...orderOf('0.00'), lines: [line(3, '0.00', '0.00', '0.00', '0.00')] },
      'GetBalance',
    ],
    'CONFLICT_ORDER_STATE: a reservation that was never made': { reservation_key: 'ORD-never' },
    'CONFLICT_ORDER_STATE: one that was released': ['ReleaseFunds', {}],
    'CONFLICT_ORDER_STATE: one that was captured otherwise': ['CaptureFunds', {}],
    'CONFLICT_ORDER_STATE: one that is less than the lines': {
      lines: [{ ...threeUnits(), goods_amount: '200.01' }],
    },
    'repeated with other notes, it returns the first outcome and keeps the first notes': [
      {},
      { notes: 'another' },
      'ListTransactionsByReference',
    ],
    'CONFLICT_IDEMPOTENCY_KEY_REUSED: settled before with other lines': [{}, { lines: [threeUnits()] }],
  }),

  RefundUnits: rpc(order('ReserveFunds', 'SettleOrder'), {
    ...keepsDecision,
    'gives goods and VAT of the units back and claws their commission back': [
      units(1),
      'ListTransactionsByReference',
    ],
    'all units in any parts give back exactly what was settled': [units(1), units(2), 'GetBalance'],
    'repeated under its operation key, it returns the first outcome': isRepeatable('GetBalance'),
    'CONFLICT_ORDER_STATE: an order that is not settled': [
      ['ReserveFunds', { reservation_key: NEW }],
      { reservation_key: NEW },
    ],
    'CONFLICT_ORDER_STATE: more units than are left': [units(2), units(2)],
    'BUSINESS_INSUFFICIENT_BALANCE: a clawback that exceeds refund and balance': async (use) => {
      const partner = await funded(use, '1.00');
      const request = orderOf('1.00', { lines: [line(1, '1.00', '0.00', '9.00', '0.00')] });
      for (const name of ['ReserveFunds', 'SettleOrder']) await partner.call(name, request);
      await partner.call('ReserveFunds', orderOf('9.00'));
      return partner.call(use.rpc, request);
    },
    'CONFLICT_IDEMPOTENCY_KEY_REUSED: the operation key with another quantity': [
      units(1, 'one key'),
      units(2, 'one key'),
    ],
  }),
});

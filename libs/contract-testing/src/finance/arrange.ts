import { expect, refusalOf, uuidv7 } from '../prelude';
import type { Message, Party, Sentences, World } from '../prelude';
import type { ApprovalMaker } from '../common/approval.contract';
import { seenPartner } from '../identity/partner-messages';

/** A partner with an open wallet and so much in it. */
export async function funded(world: World, amount = '100.00', partner = world.partner()): Promise<Party> {
  await partner.call('OpenWallet');
  if (amount !== '0.00') await deposit(partner, amount);
  return partner;
}

/** Adds money under a key of its own; returns the ledger line. */
export const deposit = (partner: Party, amount: string): Promise<Message> =>
  partner.get('CreditWallet', { amount, notes: 'deposit', idempotency_key: uuidv7() });

/** All that the RPCs of one order's money take; each reads the fields it has. */
export const orderOf = (amount: string, more: Message = {}) => {
  const key = `ORD-${uuidv7()}`;
  const names = {
    reservation_key: key,
    order_global_id: key,
    reference_id: key,
    operation_key: `refund:${key}`,
  };
  return { ...names, amount, pinned: true, notes: 'order', ...more };
};

/** An order's money after these RPCs. */
export async function moved(partner: Party, amount: string, ...rpcs: string[]) {
  const order = orderOf(amount);
  for (const rpc of rpcs) await partner.call(rpc, order);
  return order;
}

/** Charges so much. */
export const captured = (partner: Party, amount: string) =>
  moved(partner, amount, 'ReserveFunds', 'CaptureFunds');

/** A call about an order's money, of a partner with 100.00, after these RPCs. */
export const ofOrder =
  (amount: string, ...rpcs: string[]) =>
  async (world: World) => {
    const partner = await funded(world);
    return [partner, await moved(partner, amount, ...rpcs)] as const;
  };

/** That a movement of an order keeps whose decision it follows from, of several tries the first one's. */
export const keepsDecision: Sentences = {
  'keeps the operator’s decision that it follows from; repeated, the first one': async (use, given) => {
    const decided_by = { operator: 'Olga', request_id: 'decision-1', approved_by: 'Oscar' };
    const first = await given.call({ decided_by });
    expect(await given.call({ decided_by: { operator: 'Another' } })).toEqual(first);
    const { reservation_key: reference_id } = given.request;
    const lines = await use.list('ListTransactionsByReference', { reference_id });
    expect(lines.at(-1)?.decided_by).toEqual(decided_by);
  },
};

/** A partner with 100.00 and a display currency that finance has seen, and a rate for it. */
export async function withDisplayRate(world: World, currency: string, rate: string): Promise<Party> {
  await world.call('SetRate', { currency, rate });
  const partner = await seenPartner(world, 'AwaitPartnerVersion', { display_currency: currency });
  return funded(world, '100.00', partner);
}

/** What finance's subject lets one operator move in live; the contract's other amounts are far below it. */
export const FOUR_EYES_ABOVE_SAR = '1000000';

/** Requests a movement in live that needs a second operator; returns the approval's id. */
export async function approvalOf(
  partner: Party,
  world: World,
  caller: Record<string, string>,
  rpc: 'CreditWallet' | 'AdjustWallet' = 'CreditWallet',
  amount = '1000000.01',
): Promise<string> {
  const request = { ...partner.ref, amount, notes: 'large', idempotency_key: uuidv7() };
  const { code, details } = await refusalOf(world.send(rpc, request, caller));
  if (code !== 'CONFLICT_APPROVAL_REQUIRED') throw new Error(`refused with ${code}`);
  return String(details.approvalId);
}

/** How approvals of wallets come about. */
export const walletApprovals: ApprovalMaker = {
  request: async (world, caller) =>
    approvalOf(await funded(world, '0.00', world.partner('live')), world, caller),
  unfit: [
    'BUSINESS_INSUFFICIENT_BALANCE',
    async (world, caller) => {
      const partner = await funded(world, '0.00', world.partner('live'));
      for (const amount of ['600000.00', '600000.00']) await deposit(partner, amount);
      const id = await approvalOf(partner, world, caller, 'AdjustWallet', '-1100000.00');
      const request = { amount: '-200000.00', notes: '', idempotency_key: uuidv7() };
      await partner.call('AdjustWallet', request);
      return id;
    },
  ],
};

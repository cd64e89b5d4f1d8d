import { halalas, sumOf } from '../clients/bodies';
import type { OperatorClient } from '../clients/operator-client';
import type { PartnerClient } from '../clients/partner-client';
import { readScentOrder, type ScentOrder, type ScentOrderLine } from '../clients/scents';
import type { CrashFile } from '../crash/crash-file';
import { TASK_POINTS } from '../crash/scent-task-cells';
import { until } from '../until';
import type { ScentBooks } from './books';
import type { Random } from './random';

/** What became of a paid order: cancelled whole, or so many units of one of its lines returned. */
export type ScentDecision =
  | { readonly kind: 'cancel' }
  | { readonly kind: 'return'; readonly line: ScentOrderLine; readonly quantity: number };

/** Has an operator cancel some orders and take units of others back, with a death on the way of some. */
export async function decideScents(
  operator: OperatorClient,
  client: PartnerClient,
  { random, crashFile }: { random: Random; crashFile: CrashFile },
): Promise<Map<string, ScentDecision>> {
  const made = new Map<string, ScentDecision>();
  const orders = (await client.all<ScentOrder>('/orders/scent')).sort((a, b) =>
    a.externalReference.localeCompare(b.externalReference),
  );
  for (const order of random.shuffle(orders).slice(0, 4)) {
    const line = random.pick(order.lines);
    const decision: ScentDecision = random.chance(0.5)
      ? { kind: 'cancel' }
      : { kind: 'return', line, quantity: random.between(1, line.quantity) };
    made.set(order.id, decision);
    const deadly = random.chance(0.6) ? random.pick(TASK_POINTS) : undefined;
    const act = decision.kind === 'cancel' ? cancel : takeBack;
    await act({ operator, client, order, decision, die: () => void (deadly && crashFile.arm(deadly)) });
    crashFile.disarm();
  }
  return made;
}

interface Act {
  readonly operator: OperatorClient;
  readonly client: PartnerClient;
  readonly order: ScentOrder;
  readonly decision: ScentDecision;
  die(): void;
}

async function cancel({ operator, client, order, die }: Act): Promise<void> {
  die();
  await until('the order is cancelled', async () => {
    const body = { notes: 'Decided in a storm' };
    await operator.call(`/orders/${order.orderGlobalId}/cancel`, { body }).catch(() => undefined);
    return (await readScentOrder(client, order.id)).status === 'Cancelled';
  });
}

const MOVES = [
  ['ship', 'Shipped'],
  ['deliver', 'Delivered'],
] as const;

async function takeBack({ operator, client, order, decision, die }: Act): Promise<void> {
  if (decision.kind !== 'return') return;
  const { line, quantity } = decision;
  for (const { id } of order.fulfillmentGroups)
    for (const [verb, status] of MOVES)
      await until(`a group is ${status}`, async () => {
        // A process that is killed takes its response with it; a repetition is refused then, and the group has moved.
        await operator.call(`/fulfillment-groups/${id}/${verb}`, { method: 'POST' }).catch(() => undefined);
        const { fulfillmentGroups } = await readScentOrder(client, order.id);
        return fulfillmentGroups.some((group) => group.id === id && group.status === status);
      });
  const request = await client.call<{ id: string }>(`/scent/orders/${order.id}/return-request`, {
    body: {
      fulfillmentGroupId: line.fulfillmentGroupId,
      lines: [{ scentOrderLineId: line.id, quantity, reasonCode: 'ChangedMind' }],
    },
  });
  die();
  await until('the units are back', async () => {
    await operator
      .call(`/return-requests/${request.payload.id}/approve`, { method: 'POST' })
      .catch(() => undefined);
    return (await readScentOrder(client, order.id)).lines.some(
      ({ returnedQuantity }) => returnedQuantity > 0,
    );
  });
}

/** Compares what decisions left with what they must leave; returns every difference in words. */
export function checkDecided(
  before: ScentBooks,
  after: ScentBooks,
  decisions: ReadonlyMap<string, ScentDecision>,
): string[] {
  let [balance, redemptions] = [halalas(before.balance.currentBalance), before.redemptions];
  const faults: string[] = [];
  for (const order of after.orders) {
    const decision = decisions.get(order.id);
    const [refunded, clawedBack] = decision ? givenBack(order, decision) : [0, 0];
    balance += refunded - clawedBack;
    if (decision?.kind === 'cancel' && order.discountCode !== null) redemptions -= 1;
    const mine = after.lines.filter(({ referenceId }) => referenceId === order.orderGlobalId);
    const sum = (type: string): number => sumOf(mine.filter(({ referenceType }) => referenceType === type));
    const actual = [order.status, sum('Refund'), sum('CommissionClawback')].join();
    const expected = [statusOf(order, decision), refunded, clawedBack].join();
    if (actual !== expected) faults.push(`${order.externalReference}: ${actual}, the model says ${expected}`);
  }
  const { currentBalance, availableBalance } = after.balance;
  const { wallet } = after;
  const actual = [halalas(currentBalance), halalas(availableBalance), after.redemptions, after.unbalanced];
  const expected = [balance, balance, redemptions, 0];
  if (actual.join() !== expected.join())
    faults.push(
      `balance, available, redemptions, unbalanced: ${actual.join()}, the model says ${expected.join()}`,
    );
  if (wallet.posted !== wallet.entries || wallet.held !== wallet.active)
    faults.push('the wallet is not its entries');
  return faults;
}

/** Units of a variant that went back on the shelf: those of cancelled orders, and never those of returns. */
export function restocked(
  orders: readonly ScentOrder[],
  decisions: ReadonlyMap<string, ScentDecision>,
  variantId: string,
): number {
  return orders
    .filter(({ id }) => decisions.get(id)?.kind === 'cancel')
    .flatMap(({ lines }) => lines)
    .filter((line) => line.variantId === variantId)
    .reduce((sum, { quantity }) => sum + quantity, 0);
}

function givenBack(order: ScentOrder, decision: ScentDecision): [refunded: number, clawedBack: number] {
  if (decision.kind === 'cancel')
    return [halalas(order.totalAmountWithVat), halalas(order.totalCommissionWithVat)];
  const { line, quantity } = decision;
  const back = (amount: number): number =>
    Math.floor((2 * halalas(amount) * quantity + line.quantity) / (2 * line.quantity));
  return [
    back(line.lineTotal) + back(line.lineGoodsVatAmount),
    back(line.partnerCommission) + back(line.lineCommissionVatAmount),
  ];
}

function statusOf(order: ScentOrder, decision: ScentDecision | undefined): string {
  if (!decision) return 'Processing';
  if (decision.kind === 'cancel') return 'Cancelled';
  const bought = order.lines.reduce((sum, { quantity }) => sum + quantity, 0);
  return decision.quantity === bought ? 'Returned' : 'PartiallyReturned';
}

import type { CrashFile } from '../crash/crash-file';
import { until } from '../until';
import type { OperatorClient } from '../clients/operator-client';
import type { PartnerClient } from '../clients/partner-client';
import type { Decision } from './model';
import type { Random } from './random';

const DEADLY = [
  'funds.capture.before',
  'funds.capture.after',
  'funds.release.before',
  'funds.release.after',
  'funds.refund.before',
  'funds.refund.after',
  'order.end.after',
];

/**
 * Has an operator resolve every other undecided order and reverse some completed ones, with a death on the way to some;
 * returns what was decided, by global id, once each decision has had its effect.
 */
export async function decideSome(
  operator: OperatorClient,
  client: PartnerClient,
  random: Random,
  crashFile: CrashFile,
): Promise<[string, Decision][]> {
  const orders = (await client.allOrders()).sort((a, b) => a.orderGlobalId.localeCompare(b.orderGlobalId));
  const undecided = orders.filter(({ status }) => status === 'InterventionRequired');
  const completed = orders.filter(({ status }) => status === 'Completed');
  const made: [string, Decision][] = [
    ...undecided
      .filter(() => random.chance(0.6))
      .map(
        ({ orderGlobalId }) =>
          [orderGlobalId, random.pick(['Completed', 'Failed'] as const)] as [string, Decision],
      ),
    ...random
      .shuffle(completed)
      .slice(0, 2)
      .map(({ orderGlobalId }) => [orderGlobalId, 'Reversed'] as [string, Decision]),
  ];
  for (const [orderGlobalId, decision] of made) {
    if (random.chance(0.4)) crashFile.arm(random.pick(DEADLY));
    await decide(operator, client, orderGlobalId, decision);
  }
  return made;
}

async function decide(
  operator: OperatorClient,
  client: PartnerClient,
  orderGlobalId: string,
  decision: Decision,
): Promise<void> {
  const verb = decision === 'Reversed' ? 'reverse' : 'resolve';
  const body = { notes: 'Decided in a storm', ...(decision !== 'Reversed' && { outcome: decision }) };
  await until(`${orderGlobalId} is ${decision}`, async () => {
    const response = await operator.call(`/orders/${orderGlobalId}/${verb}`, { body });
    if (response.status !== 200 && response.status < 500 && response.state !== 'CONFLICT_ORDER_STATE') {
      throw new Error(`refused: ${response.text}`);
    }
    const order = await client.call<{ status: string }>(`/orders/by-global-id/${orderGlobalId}`);
    return order.payload.status === decision;
  });
}

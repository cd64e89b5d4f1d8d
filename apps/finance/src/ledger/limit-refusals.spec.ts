import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { createLedger } from './create-ledger';
import type { Refusal, WalletOperation } from './domain/wallet-operation';
import type { LedgerRepository } from './ledger.repository';

describe('refusals of the ledger', () => {
  it('when limits on spending refuse, then each is counted by its limit, and no other refusal is', async () => {
    const metrics = new Registry();
    let refusal: Refusal = 'order_limit';
    const apply = async () => [{ done: false, refusal }];
    const repository = {
      apply,
      applyToMany: async () => [await apply()],
    } as unknown as LedgerRepository;
    const ledger = createLedger({ repository, poolSize: 8, metrics });
    const refusals: Refusal[] = ['order_limit', 'recipient_limit', 'recipient_limit', 'insufficient'];
    for (refusal of refusals)
      await ledger.submit({ partnerId: 'p', environment: 'sandbox' }, {} as WalletOperation);
    const shown = await metrics.getSingleMetricAsString('finance_limit_refusals_total');
    const counts = [...shown.matchAll(/limit="(\w+)"\} (\d+)/g)].map(([, limit, count]) => [limit, count]);
    expect(counts).toEqual([
      ['order', '1'],
      ['day', '0'],
      ['recipient', '2'],
    ]);
  });
});

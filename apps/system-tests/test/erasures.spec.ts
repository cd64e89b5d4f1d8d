import { describe, expect, test } from '@jest/globals';
import { newTopup } from '../src/clients/bodies';
import { OperatorClient } from '../src/clients/operator-client';
import type { Page, TopupOrder } from '../src/clients/resources';
import { expectSuccess } from '../src/clients/response';
import { until } from '../src/until';
import { readPlatformFile } from '../src/platform/platform-file';

const operator = new OperatorClient(readPlatformFile());

describe('erasing a recipient (spec §18.10)', () => {
  test('when its orders have ended, then they show it no more, are repeated as before, and the money stands', async () => {
    const partner = await operator.newPartner({ deposit: 100 });
    const phoneNumber = `+96654${String(Date.now() % 1e3).padStart(3, '0')}4567`;
    const body = newTopup({ phoneNumber });
    const order = expectSuccess(await partner.live.call<TopupOrder>('/orders/topup', { body }));
    expect(order).toMatchObject({ status: 'Completed', phoneNumber });
    const erasure = await operator.post<{ id: string; subjectHash: string }>('/erasures', {
      phoneNumber,
      reason: 'requested by the person',
    });
    await until('it is erased', async () => {
      const { status } = await operator.get<{ status: string }>(`/erasures/${erasure.id}`);
      return status === 'Completed';
    });
    const erased = { ...order, phoneNumber: '+00000000000' };
    expect(expectSuccess(await partner.live.call(`/orders/topup/${order.orderId}`))).toEqual(erased);
    expect(expectSuccess(await partner.live.call('/orders/topup', { body }))).toEqual(erased);
    const other = await partner.live.call('/orders/topup', {
      body: { ...body, phoneNumber: newTopup().phoneNumber },
    });
    expect([other.state, other.details['mismatchedFields']]).toEqual([
      'CONFLICT_DUPLICATE_EXTERNAL_REFERENCE',
      ['phoneNumber'],
    ]);
    expect(await partner.live.balance()).toMatchObject({ currentBalance: 100 - order.amount });
    const { items } = await operator.get<Page<{ action: string; subject: string }>>('/audit?pageSize=100');
    expect(items).toContainEqual(
      expect.objectContaining({ action: 'erasure.request', subject: erasure.subjectHash }),
    );
    expect(JSON.stringify(items)).not.toContain(phoneNumber);
  });
});

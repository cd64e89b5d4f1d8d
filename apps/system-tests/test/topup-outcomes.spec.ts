import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@reseller/testing';
import { insist } from '../src/clients/insist';
import { OperatorClient } from '../src/clients/operator-client';
import type { TestPartner } from '../src/clients/operator-client';
import type { PartnerClient, TopupBody } from '../src/clients/partner-client';
import type { TopupOrder } from '../src/clients/resources';
import { halalas, newTopup, phoneEnding } from '../src/clients/topup';
import { readBooks } from '../src/money-check';
import { readPlatformFile } from '../src/platform/platform-file';

const operator = new OperatorClient(readPlatformFile());

interface Rehearsal {
  readonly ends: string;
  /** Of the create's answer. */
  readonly first: string;
  /** Once nothing moves any more. */
  readonly last: string;
  readonly lastCode: string;
}

const rehearsals: Rehearsal[] = [
  { ends: '0001', first: 'Failed', last: 'Failed', lastCode: 'TOPUP_FAILED' },
  { ends: '0002', first: 'Completed', last: 'Completed', lastCode: 'TOPUP_SUCCESS' },
  { ends: '0003', first: 'Processing', last: 'Completed', lastCode: 'TOPUP_SUCCESS' },
  { ends: '0004', first: 'Processing', last: 'Failed', lastCode: 'TOPUP_FAILED' },
  {
    ends: '0005',
    first: 'InterventionRequired',
    last: 'InterventionRequired',
    lastCode: 'TOPUP_INTERVENTION',
  },
  { ends: '0006', first: 'Completed', last: 'Completed', lastCode: 'TOPUP_SUCCESS' },
  { ends: '0007', first: 'Completed', last: 'Completed', lastCode: 'TOPUP_SUCCESS' },
  { ends: '8888', first: 'Completed', last: 'Completed', lastCode: 'TOPUP_SUCCESS' },
];

describe.each(['sandbox', 'live'] as const)('the outcomes of decisions §4.12 in %s', (environment) => {
  let partner: TestPartner;
  let client: PartnerClient;
  const bodies = new Map<string, TopupBody>();
  const firstAnswers = new Map<string, TopupOrder>();
  const lastReads = new Map<string, TopupOrder>();

  beforeAll(async () => {
    partner = await operator.newPartner({ deposit: 500 });
    client = partner[environment];
    await Promise.all(
      rehearsals.map(async ({ ends, last }, at) => {
        const body = newTopup({ phoneNumber: phoneEnding(ends), amount: 10 + at });
        bodies.set(ends, body);
        const order = await insist(client, body);
        firstAnswers.set(ends, order);
        const settled = await eventually(
          async () => {
            const read = await client.order(order.orderId);
            expect(read.status).toBe(last);
            return read;
          },
          { timeoutMs: 30_000, intervalMs: 200 },
        );
        lastReads.set(ends, settled);
      }),
    );
  });

  test.each(rehearsals)(
    'when the number ends in $ends, then it is $first at first and $last in the end',
    (row) => {
      const first = firstAnswers.get(row.ends)!;
      const last = lastReads.get(row.ends)!;
      expect([first.status, last.status, last.statusDetail.statusCode]).toEqual([
        row.first,
        row.last,
        row.lastCode,
      ]);
      const isProcessing = first.status === 'Processing';
      expect([first.nextPollAt === null, first.completedAt === null]).toEqual([
        !isProcessing,
        isProcessing || first.status === 'InterventionRequired',
      ]);
      expect(last.nextPollAt).toBeNull();
      expect([last.failureCode, last.errorMessage === null]).toEqual(
        row.last === 'Failed' ? ['VENDOR_REFUSED', false] : [null, true],
      );
      expect(last.completedAt === null).toBe(row.last === 'InterventionRequired');
      expect(last.currentRetryCount).toBe(isProcessing ? 2 : 0);
    },
  );

  test('when it is over, then only what was delivered is charged, and what is undecided stays set aside', async () => {
    const completed = rehearsals
      .filter((row) => row.last === 'Completed')
      .map((row) => halalas(bodies.get(row.ends)!.amount));
    const undecided = halalas(bodies.get('0005')!.amount);
    const charged = completed.reduce((sum, amount) => sum + amount, 0);
    const books = await readBooks(client, environment);
    expect(books).toEqual({
      completedOrders: charged,
      debits: charged,
      credits: 50_000,
      balance: 50_000 - charged,
      available: 50_000 - charged - undecided,
      brokenLines: 0,
      uncaptured: [],
      undelivered: [],
      openOrders: [],
    });
  });

  test.each(rehearsals.filter((row) => row.ends !== '0005'))(
    'when the order of $ends is sent again, then the same order is answered as it now stands',
    async ({ ends }) => {
      const again = await client.topup(bodies.get(ends)!);
      expect([again.status, again.payload]).toEqual([200, lastReads.get(ends)]);
    },
  );

  test('when the undecided one is sent again, then it is CONFLICT_ORDER_INTERVENTION_REQUIRED with its order', async () => {
    const again = await client.topup(bodies.get('0005')!);
    expect([again.status, again.state, again.details.orderId]).toEqual([
      409,
      'CONFLICT_ORDER_INTERVENTION_REQUIRED',
      lastReads.get('0005')!.orderId,
    ]);
  });
});

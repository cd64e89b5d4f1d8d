import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@reseller/testing';
import type { ApiResponse } from '../src/clients/response';
import { emailTagged, halalas, newEsim, newTopup, phoneEnding } from '../src/clients/bodies';
import { insistOn } from '../src/clients/insist';
import { OperatorClient } from '../src/clients/operator-client';
import type { PartnerClient } from '../src/clients/partner-client';
import type { EsimOrder, VendorOrder } from '../src/clients/resources';
import { readBooks } from '../src/money-check';
import { readPlatformFile } from '../src/platform/platform-file';

const operator = new OperatorClient(readPlatformFile());

interface Rehearsal {
  readonly ends: string;
  /** None: an address without a tag. */
  readonly tag?: string;
  /** Of the create's response. */
  readonly first: string;
  /** Once nothing moves any more. */
  readonly last: string;
  /** Of the last, behind TOPUP_ or ESIM_. */
  readonly code: string;
}

const undecided = 'InterventionRequired';
const rehearsals: Rehearsal[] = [
  { ends: '0001', tag: 'fail', first: 'Failed', last: 'Failed', code: 'FAILED' },
  { ends: '0002', tag: 'outage', first: 'Completed', last: 'Completed', code: 'SUCCESS' },
  { ends: '0003', tag: 'pending', first: 'Processing', last: 'Completed', code: 'SUCCESS' },
  { ends: '0004', tag: 'pendingfail', first: 'Processing', last: 'Failed', code: 'FAILED' },
  { ends: '0005', tag: 'unknown', first: undecided, last: undecided, code: 'INTERVENTION' },
  { ends: '0006', tag: 'dropped', first: 'Completed', last: 'Completed', code: 'SUCCESS' },
  { ends: '0007', tag: 'slow', first: 'Completed', last: 'Completed', code: 'SUCCESS' },
  { ends: '8888', first: 'Completed', last: 'Completed', code: 'SUCCESS' },
];

interface Attempt {
  readonly amount: number;
  create(client: PartnerClient): Promise<ApiResponse<VendorOrder>>;
}

interface Product {
  readonly name: string;
  attempt(row: Rehearsal, at: number): Attempt;
  read(client: PartnerClient, orderId: string): Promise<VendorOrder>;
}

const products: Product[] = [
  {
    name: 'Topup',
    attempt({ ends }, at) {
      const body = newTopup({ phoneNumber: phoneEnding(ends), amount: 10 + at });
      return { amount: body.amount, create: (client) => client.topup(body) };
    },
    read: (client, orderId) => client.order(orderId),
  },
  {
    name: 'Esim',
    attempt({ tag }) {
      const body = newEsim({ email: emailTagged(tag) });
      return { amount: body.amount, create: (client) => client.esim(body) };
    },
    read: (client, orderId) => client.esimOrder(orderId),
  },
];

const cases = products.flatMap((product) =>
  (['sandbox', 'live'] as const).map((environment) => ({ product, name: product.name, environment })),
);

describe.each(cases)('the outcomes of spec §4.12 of $name in $environment', ({ product, environment }) => {
  let client: PartnerClient;
  const attempts = new Map(rehearsals.map((row, at) => [row.ends, product.attempt(row, at)]));
  const firstResponses = new Map<string, VendorOrder>();
  const lastReads = new Map<string, VendorOrder>();

  beforeAll(async () => {
    const partner = await operator.newPartner({ deposit: 500 });
    client = partner[environment];
    await Promise.all(
      rehearsals.map(async ({ ends, last }) => {
        const order = await insistOn(() => attempts.get(ends)!.create(client));
        firstResponses.set(ends, order);
        const settled = await eventually(
          async () => {
            const read = await product.read(client, order.orderId);
            expect(read.status).toBe(last);
            return read;
          },
          { intervalMs: 200 },
        );
        lastReads.set(ends, settled);
      }),
    );
  });

  test.each(rehearsals)(
    'when the vendor rehearses $ends, then it is $first at first and $last in the end',
    (row) => {
      const first = firstResponses.get(row.ends)!;
      const last = lastReads.get(row.ends)!;
      expect([first.status, last.status]).toEqual([row.first, row.last]);
      expect(last.statusDetail).toMatchObject({
        productType: product.name,
        statusCode: `${product.name.toUpperCase()}_${row.code}`,
      });
      const isProcessing = first.status === 'Processing';
      expect([first.nextPollAt === null, first.completedAt === null]).toEqual([
        !isProcessing,
        isProcessing || first.status === undecided,
      ]);
      expect(last.nextPollAt).toBeNull();
      expect([last.failureCode, last.errorMessage === null]).toEqual(
        row.last === 'Failed' ? ['VENDOR_REFUSED', false] : [null, true],
      );
      expect(last.completedAt === null).toBe(row.last === undecided);
      expect(last.currentRetryCount).toBe(isProcessing ? 2 : 0);
    },
  );

  test('when an eSIM is not Completed, then nothing turns it on; when it is, then all four fields are there', () => {
    for (const order of [...firstResponses.values(), ...lastReads.values()] as EsimOrder[]) {
      const { esimIccid, esimQrCode, esimActivationCode, esimPlanDetails } = order;
      const esimFields = [esimIccid, esimQrCode, esimActivationCode, esimPlanDetails];
      if (product.name === 'Topup') expect(esimFields).toEqual(Array(4).fill(undefined));
      else if (order.status !== 'Completed') expect(esimFields).toEqual(Array(4).fill(null));
      else {
        expect(esimFields).toEqual(Array(4).fill(expect.any(String)));
        expect(esimQrCode).toMatch(/^LPA:1\$[^$]+\$[^$]+$/);
      }
    }
  });

  test('when it is over, then only what was delivered is charged, and what is undecided stays set aside', async () => {
    const completed = rehearsals
      .filter((row) => row.last === 'Completed')
      .map((row) => halalas(attempts.get(row.ends)!.amount));
    const held = halalas(attempts.get('0005')!.amount);
    const charged = completed.reduce((sum, amount) => sum + amount, 0);
    const books = await readBooks(client, environment);
    expect(books).toEqual({
      completedOrders: charged,
      debits: charged,
      credits: 50_000,
      balance: 50_000 - charged,
      available: 50_000 - charged - held,
      brokenLines: 0,
      uncaptured: [],
      undelivered: [],
      openOrders: [],
    });
  });

  test.each(rehearsals.filter((row) => row.ends !== '0005'))(
    'when the order of $ends is sent again, then the same order is returned as it now stands',
    async ({ ends }) => {
      const again = await attempts.get(ends)!.create(client);
      expect([again.status, again.payload]).toEqual([200, lastReads.get(ends)]);
    },
  );

  test('when the undecided one is sent again, then it is CONFLICT_ORDER_INTERVENTION_REQUIRED with its order', async () => {
    const again = await attempts.get('0005')!.create(client);
    expect([again.status, again.state, again.details.orderId]).toEqual([
      409,
      'CONFLICT_ORDER_INTERVENTION_REQUIRED',
      lastReads.get('0005')!.orderId,
    ]);
  });
});

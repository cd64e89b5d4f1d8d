import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AT } from './support/samples';
import { TestBackoffice, type BackofficeResponse } from './support/backoffice';

let backoffice: TestBackoffice;

beforeAll(async () => {
  backoffice = await TestBackoffice.start();
});
afterAll(() => backoffice.stop());
beforeEach(() => backoffice.reset());

describe('reconciliation', () => {
  const subjects = (response: BackofficeResponse) =>
    (response.body.payload as { items: { subject: string }[] }).items.map(({ subject }) => subject);

  it('when differences are listed, then the services’ lists follow each other, page by page', async () => {
    const first = await backoffice.send('GET', '/reconciliation?pageSize=3&open=true');
    expect(subjects(first)).toEqual(['wallets 1', 'wallets 2', 'stock 1']);
    expect(first.body.payload).toMatchObject({
      pagination: { page: 1, pageSize: 3, totalCount: 5, totalPages: 2 },
    });
    expect((first.body.payload as { items: unknown[] }).items[0]).toMatchObject({
      service: 'finance',
      check: 'wallets',
      kind: 'held',
      expected: '1.00',
      found: '2.00',
      firstSeenAt: AT.toISOString(),
      resolvedAt: null,
    });
    expect(backoffice.calls[0]?.request).toMatchObject({ isOpen: true, check: undefined });
    expect(subjects(await backoffice.send('GET', '/reconciliation?pageSize=3&page=2'))).toEqual([
      'stock 2',
      'stock 3',
    ]);
    expect(subjects(await backoffice.send('GET', '/reconciliation?service=scent-commerce'))).toHaveLength(3);
    expect((await backoffice.send('GET', '/reconciliation?service=gateway')).status).toBe(400);
  });

  it('when it is run, then every service is, and one that is away does not hide the others', async () => {
    const { body } = await backoffice.send('POST', `/reconciliation/run?since=${AT.toISOString()}`);
    expect(backoffice.calls.map(({ request }) => request)).toEqual(Array(3).fill({ since: AT }));
    expect(body.payload).toMatchObject({ isComplete: true, openDifferences: 5 });
    backoffice.fakes.of('finance').fail('runReconciliation', 'SERVICE_UNAVAILABLE');
    const half = (await backoffice.send('POST', '/reconciliation/run')).body.payload;
    expect(half).toMatchObject({ isComplete: false, openDifferences: 3 });
    expect((half as { checks: unknown[] }).checks).toContainEqual(
      expect.objectContaining({ service: 'finance', check: '*', failure: expect.any(String) }),
    );
  });
});

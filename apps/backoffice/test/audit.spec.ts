import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TestBackoffice } from './support/backoffice';

let backoffice: TestBackoffice;

beforeAll(async () => {
  backoffice = await TestBackoffice.start();
});
afterAll(() => backoffice.stop());
beforeEach(() => backoffice.reset());

describe('the audit', () => {
  it('when it is read, then entries come as a page with their details', async () => {
    const response = await backoffice.send(
      'GET',
      '/audit?from=2026-01-01T00:00:00Z&to=2026-12-31T00:00:00%2B03:00',
    );
    expect(response.body.payload).toMatchObject({
      items: [
        { actorType: 'Operator', operator: 'olga', action: 'wallet.credit', details: { amount: '10.50' } },
      ],
    });
    expect((await backoffice.send('GET', '/audit?from=yesterday')).body.state).toBe('VALIDATION_FAILED');
  });
});

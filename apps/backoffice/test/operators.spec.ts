import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runService } from '@reseller/service-kit';
import { describeService } from '../src/service';
import { OPERATOR_TOKEN, TestBackoffice } from './support/backoffice';

let backoffice: TestBackoffice;

beforeAll(async () => {
  backoffice = await TestBackoffice.start();
});
afterAll(() => backoffice.stop());
beforeEach(() => backoffice.reset());

describe('who may use backoffice', () => {
  it.each([
    ['no token', {}],
    ['an unknown token', { authorization: 'Bearer op_0000000000000000' }],
    ['another scheme', { authorization: `Basic ${OPERATOR_TOKEN}` }],
  ])('when a request comes with %s, then it is 401 and no service is called', async (_case, headers) => {
    const response = await backoffice.send('GET', '/partners', undefined, { authorization: '', ...headers });
    expect(response.status).toBe(401);
    expect(response.body.state).toBe('UNAUTHORIZED_INVALID_TOKEN');
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(backoffice.rpcs()).toEqual([]);
  });

  it('when OPERATOR_TOKENS is unfit, then the service names it and does not start', async () => {
    for (const tokens of [
      'olga',
      'olga=short',
      `olga=${OPERATOR_TOKEN},olga=op_fedcba9876543210`,
      `a=${OPERATOR_TOKEN},b=${OPERATOR_TOKEN}`,
    ]) {
      const start = runService(describeService(), { OPERATOR_TOKENS: tokens, ...backoffice.addresses });
      await expect(start).rejects.toThrow(/^OPERATOR_TOKENS is not valid: expected name=token/);
    }
  });
});

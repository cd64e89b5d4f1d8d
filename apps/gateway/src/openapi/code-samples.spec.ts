import { describe, expect, it } from '@jest/globals';
import { routes } from '../routes';
import { codeSamplesOf } from './code-samples';

const sampleOf = (id: string): string | undefined => {
  const route = routes.find(({ operationId }) => operationId === id);
  return route && codeSamplesOf(route)[0]?.source;
};

// That each of them fits its method is held by the type check: libs/partner-client/generate.mjs writes them as code.
describe('code samples', () => {
  it('when a call has a path, a query and a body, then the client takes them in one object, numbers and flags as such', () => {
    expect(sampleOf('setWebhookActive')).toMatch(
      /^const result = await reseller\.setWebhookActive\(\{\n {2}id: '[0-9a-f-]{36}',\n {2}isActive: (true|false),\n\}\);$/,
    );
    expect(sampleOf('listTopupOrders')).toContain("page: 1,\n  pageSize: 20,\n  status: 'Completed',");
  });

  it('when a call takes nothing, then neither does the method; the client fetches tokens by itself', () => {
    expect(sampleOf('getWalletBalance')).toBe('const result = await reseller.getWalletBalance();');
    expect(sampleOf('createToken')).toBeUndefined();
  });

  it('when a text has quotes and lines, then it is written as a text of TypeScript', () => {
    expect(sampleOf('createReconciliation')).toContain(
      "csv: 'externalReference,amount,status\\nINV-2026-0042,25.00,Completed\\nINV-2026-0043,10.00,\\n',",
    );
  });
});

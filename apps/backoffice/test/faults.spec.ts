import { describe, expect, it } from '@jest/globals';
import { EXAMPLE_ID } from '../src/routes/fields';
import { useBackoffice } from './support/backoffice';

const backoffice = useBackoffice();

const ahead = { periodFrom: '2026-01-01T00:00:00Z', periodTo: '2999-01-01T00:00:00Z' };

describe('a request with several faults (spec §1.2)', () => {
  it.each<[string, string, object, string[]]>([
    [
      'POST',
      `/partners/${EXAMPLE_ID}/credentials`,
      { environment: 'sandbox', allowedCidrs: ['10.0.0.0/33', '10.0.0.0/8', 'x'] },
      ['allowedCidrs.0', 'allowedCidrs.2'],
    ],
    [
      'POST',
      `/partners/${EXAMPLE_ID}/credentials`,
      { environment: 'moon', allowedCidrs: ['010.0.0.0/8', '::/129'] },
      ['allowedCidrs.0', 'allowedCidrs.1', 'environment'],
    ],
    ['POST', '/partners', { name: '  ', commissionRate: 2 }, ['commissionRate', 'name']],
    [
      'POST',
      '/partners',
      { name: 'a\nb', commissionRate: 2, billingEmail: 'a@b..c', taxRegistrationNumber: ' ' },
      ['billingEmail', 'commissionRate', 'name', 'taxRegistrationNumber'],
    ],
    [
      'PATCH',
      `/partners/${EXAMPLE_ID}`,
      { name: ' ', billingEmail: 'a@b.c\u0001', isActive: 1 },
      ['billingEmail', 'isActive', 'name'],
    ],
    ['POST', '/operator-tokens', { name: 'a\u0007', roles: ['root'] }, ['name', 'roles.0']],
    ['POST', '/partners/x/certification/waive', { reason: 'a\u0007' }, ['id', 'reason']],
    ['POST', '/statements', { partnerId: 'x', environment: 'live', ...ahead }, ['partnerId', 'periodTo']],
  ])('when %s %s gets %j, then each is named and no service is called', async (method, path, body, at) => {
    const response = await backoffice.send(method, path, body);
    expect(response.body.state).toBe('VALIDATION_FAILED');
    const { errors } = response.body.details as { errors: { path: string }[] };
    expect(errors.map((fault) => fault.path).sort()).toEqual(at);
    expect(backoffice.rpcs()).toEqual([]);
  });

  it('when nothing is wrong but a period that is not over, then the partner comes first, as a wallet does', async () => {
    const partnerId = backoffice.newPartner();
    await backoffice.send('POST', '/statements', { partnerId, environment: 'live', ...ahead });
    expect(backoffice.rpcs()).toContain('createStatement');
  });
});

import { describe, expect, it } from '@jest/globals';
import { useBackoffice } from './support/backoffice';

const backoffice = useBackoffice();

describe('statements', () => {
  it('when a statement is made, then the audit comes first and the response is the whole statement', async () => {
    const partnerId = backoffice.newPartner();
    const period = { periodFrom: '2026-01-01T00:00:00Z', periodTo: '2026-02-01T03:00:00+03:00' };
    const response = await backoffice.send('POST', '/statements', {
      partnerId,
      environment: 'live',
      ...period,
    });
    expect(response.body.payload).toMatchObject({
      sequenceNumber: 1,
      locked: true,
      emailStatus: 'Pending',
      periodTo: '2026-02-01T00:00:00.000Z',
      document: { isProvisional: false, lines: [{ transactionId: 42, amount: 10.5 }] },
    });
    expect(backoffice.rpcs()).toEqual([
      'getPartner',
      'recordAuditEntry',
      'createStatement',
      'listStatementLines',
    ]);
    expect(backoffice.calls[1]?.request).toMatchObject({ action: 'statement.create', partnerId });
  });

  it('when a statement’s period is unfit, then every fault is named and nothing is made', async () => {
    const body = { partnerId: 'x', environment: 'test', periodFrom: '2026-02-01T00:00:00Z' };
    const unfit = await backoffice.send('POST', '/statements', { ...body, periodTo: '2026-02-01T00:00:00Z' });
    const { errors } = unfit.body.details as { errors: { path: string }[] };
    expect(errors.map(({ path }) => path).sort()).toEqual(['environment', 'partnerId', 'periodTo']);
    expect((await backoffice.send('POST', '/statements', body)).body.state).toBe('VALIDATION_FAILED');
    expect(backoffice.rpcs()).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { AppError } from '@reseller/errors';
import { Environment, Statement } from '@reseller/contracts';
import { statementPdf } from './statement';

const at = new Date('2026-11-01T00:00:00.000Z');
const STATEMENT = Statement.fromPartial({
  environment: Environment.LIVE,
  language: 'en',
  document: {
    partnerGlobalId: 'PRT-1',
    statementNumber: 'ST-PRT-1-000001',
    afterPosition: '0',
    upToPosition: '2',
    periodFromAt: at,
    periodToAt: at,
    generatedAt: at,
    currency: 'SAR',
    totalDebits: '0.00',
    totalCredits: '0.00',
    netPosition: '0.00',
  },
});

describe('a statement as a PDF', () => {
  it('when its first lines cannot be read, then nothing of it is made, so that the refusal can be the response', async () => {
    const refusal = new AppError('SERVICE_UNAVAILABLE');
    const parts = statementPdf(STATEMENT, () => Promise.reject(refusal));
    await expect(parts.next()).rejects.toBe(refusal);
  });
});

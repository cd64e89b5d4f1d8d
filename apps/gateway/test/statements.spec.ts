import { describe, expect, it } from '@jest/globals';
import { AppError } from '@reseller/errors';
import { expectFaults, useGateway } from './support/gateway';
import { ACME, someStatement, someTransaction } from './support/samples';

const gateway = useGateway();

const { id } = someStatement();
const read = (path: string) => gateway.sendAs(gateway.token, `/api/v1/statements${path}`);

const line = {
  transactionId: 7,
  timestamp: '2026-01-15T09:30:00.000Z',
  transactionType: 'Debit',
  referenceType: 'Order',
  referenceId: 'ORD-1',
  amount: 10.1,
  balanceAfter: 89.9,
  notes: '',
  orderGoodsVatAmount: null,
  orderCommissionVatAmount: null,
  orderTotalAmountWithVat: null,
  orderTotalCommissionWithVat: null,
};
const shared = {
  partnerId: ACME,
  partnerGlobalId: 'PRT-000001',
  sequenceNumber: 1,
  statementNumber: 'ST-PRT-000001-000001',
  periodFrom: '2026-01-01T00:00:00.000Z',
  periodTo: '2026-02-01T00:00:00.000Z',
  generatedAt: '2026-02-01T00:10:00.000Z',
  currency: 'SAR',
  totalDebits: 10.1,
  totalCredits: 0,
  netPosition: -10.1,
};
const document = {
  ...shared,
  isProvisional: false,
  platformTaxRegistrationNumber: null,
  partnerTaxRegistrationNumber: '311',
  documentNature: 'Not a legal tax invoice.',
};
const listed = {
  id,
  ...shared,
  locked: true,
  emailStatus: 'Skipped',
  emailStatusReason: 'No mail server is configured',
  emailSentAt: null,
  document,
};

describe('statements', () => {
  it('when one is read, then every field is there, the lines in its document', async () => {
    const response = await read(`/${id.toUpperCase()}`);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      state: 'SUCCESS',
      payload: { ...listed, document: { ...document, lines: [line] } },
    });
    expect(gateway.dependencies.seen.calls.map(({ request }) => request)).toEqual([
      { statementId: id },
      { statementId: id, piece: 0 },
    ]);
  });

  it('when they are listed, then the documents have no lines', async () => {
    const response = await read('?page=1&pageSize=5');
    expect(response.body.payload).toMatchObject({ items: [listed] });
    expect(response.text).not.toContain('lines');
  });

  it('when a period is reported, then the payload is the provisional document', async () => {
    const response = await read(
      '?mode=report&periodFrom=2026-01-01T00:00:00Z&periodTo=2026-02-01T03:00:00%2B03:00',
    );
    expect(response.body.payload).toEqual({
      ...document,
      sequenceNumber: null,
      statementNumber: null,
      isProvisional: true,
      lines: [line],
    });
    const [report, lines] = gateway.dependencies.seen.calls;
    expect(report?.request).toEqual({
      periodFromAt: new Date('2026-01-01T00:00:00Z'),
      periodToAt: new Date('2026-02-01T00:00:00Z'),
    });
    expect(lines?.request).toEqual({ afterPosition: '4', upToPosition: '5', piece: 0 });
  });

  it.each([
    ['?mode=list', ['mode']],
    ['?mode=report', ['periodFrom', 'periodTo']],
    ['?mode=report&page=0', ['page', 'periodFrom', 'periodTo']],
    ['?mode=report&periodFrom=2026-01-01T00:00:00Z', ['periodTo']],
    ['?mode=report&periodFrom=yesterday&periodTo=2026-01-01T00:00:00Z', ['periodFrom']],
    ['?mode=report&periodFrom=2026-01-01T00:00:00Z&periodTo=2026-01-01T00:00:00Z', ['periodTo']],
    ['/x', ['id']],
  ])('when %s is requested, then each fault is named', async (path, paths) => {
    const response = await read(path);
    expect([response.status, response.body.state]).toEqual([400, 'VALIDATION_FAILED']);
    expect(response.body.details.errors?.map((fault) => fault.path).sort()).toEqual(paths);
  });

  it('when one is to be made of a period that is not over, then that is named beside other faults, and alone is the service’s to say', async () => {
    const ahead = { periodFrom: '2026-01-01T00:00:00Z', periodTo: '2999-01-01T00:00:00Z' };
    const make = (body: object) => gateway.post(gateway.token, '/api/v1/sandbox/statements', body);
    expectFaults(await make({ ...ahead, periodFrom: 'x' }), ['periodFrom', 'periodTo']);
    expect(gateway.dependencies.seen.calls).toEqual([]);
    await make(ahead);
    expect(gateway.dependencies.seen.calls[0]).toMatchObject({ method: 'createSandboxStatement' });
  });

  it('when there is none, or no wallet, then that is the response before anything else', async () => {
    const { statements } = gateway.dependencies;
    const { getStatement, getStatementReport } = statements;
    statements.getStatement = () => Promise.reject(new AppError('NOT_FOUND_STATEMENT'));
    statements.getStatementReport = () => Promise.reject(new AppError('NOT_FOUND_WALLET'));
    const report = '?mode=report&periodFrom=2026-01-01T00:00:00Z&periodTo=2026-02-01T00:00:00Z';
    expect((await read(`/${id}`)).body.state).toBe('NOT_FOUND_STATEMENT');
    expect((await read(report)).body.state).toBe('NOT_FOUND_WALLET');
    Object.assign(statements, { getStatement, getStatementReport });
  });

  it('when a statement has many pieces, then its lines come in their order, none twice and none left out', async () => {
    const { statements } = gateway.dependencies;
    const { getStatement, listStatementLines } = statements;
    statements.getStatement = () => Promise.resolve({ statement: someStatement(1_203) });
    statements.listStatementLines = ({ piece }) =>
      Promise.resolve({
        lines: Array.from({ length: Math.min(500, 1_203 - piece * 500) }, (_, index) =>
          someTransaction(piece * 500 + index),
        ),
      });
    const response = await read(`/${id}`);
    const payload: { document: { lines: { transactionId: number }[] } } = response.body.payload;
    expect(payload.document.lines.map(({ transactionId }) => transactionId)).toEqual([
      ...Array(1_203).keys(),
    ]);
    Object.assign(statements, { getStatement, listStatementLines });
  });

  it('when a statement has no lines, then they are an empty array', async () => {
    const { statements } = gateway.dependencies;
    const { getStatement } = statements;
    statements.getStatement = () => Promise.resolve({ statement: someStatement(0) });
    expect((await read(`/${id}`)).body.payload).toMatchObject({ document: { lines: [] } });
    statements.getStatement = getStatement;
  });
});

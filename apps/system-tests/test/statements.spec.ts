import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectSuccess } from '../src/clients/response';
import { newTopup } from '../src/clients/bodies';
import { OperatorClient } from '../src/clients/operator-client';
import type { TestPartner } from '../src/clients/operator-client';
import type { Page, Transaction } from '../src/clients/resources';
import { readPlatformFile } from '../src/platform/platform-file';

interface Document {
  readonly sequenceNumber: number | null;
  readonly statementNumber: string | null;
  readonly isProvisional: boolean;
  readonly documentNature: string;
  readonly netPosition: number;
  readonly partnerTaxRegistrationNumber: string | null;
  readonly lines: Transaction[];
}

interface Statement {
  readonly id: string;
  readonly sequenceNumber: number;
  readonly periodTo: string;
  readonly locked: boolean;
  readonly emailStatus: string;
  readonly emailStatusReason: string | null;
  readonly document: Document;
}

const operator = new OperatorClient(readPlatformFile());
const FROM = '2026-01-01T00:00:00.000Z';
const reportOf = (from: string, to: string): string =>
  `/statements?mode=report&periodFrom=${from}&periodTo=${to}`;

/** A file that is no JSON, with its name. */
async function printed(url: string, token: string): Promise<Buffer> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/pdf');
  expect(response.headers.get('content-disposition')).toMatch(/^inline; filename="ST-PRT-\d+-000001\.pdf"$/);
  return Buffer.from(await response.arrayBuffer());
}

describe('statements (spec §9.1, spec §9.4)', () => {
  let partner: TestPartner;
  let first: Statement;

  const make = (periodFrom: string, periodTo: string) =>
    operator.call<Statement>('/statements', {
      body: { partnerId: partner.id, environment: 'sandbox', periodFrom, periodTo },
    });

  beforeAll(async () => {
    partner = await operator.newPartner({
      deposit: 100,
      settings: { taxRegistrationNumber: '310000000000003', language: 'ar' },
    });
    expectSuccess(await partner.sandbox.topup(newTopup()));
    first = expectSuccess(await make(FROM, new Date().toISOString()));
  });

  test('when an operator makes one, then the partner reads the same, with the lines of its wallet, oldest first', async () => {
    expect(first).toMatchObject({ sequenceNumber: 1, locked: true, emailStatus: 'Skipped' });
    expect(first.emailStatusReason).toMatch(/\S/);
    expect(first.document).toMatchObject({
      statementNumber: `ST-${partner.globalId}-000001`,
      isProvisional: false,
      netPosition: 90,
      partnerTaxRegistrationNumber: '310000000000003',
    });
    expect(first.document.documentNature).toMatch(/not a legal tax invoice/);
    expect(expectSuccess(await partner.sandbox.call<Statement>(`/statements/${first.id}`))).toEqual(first);
    expect(first.document.lines).toEqual((await partner.sandbox.transactions()).reverse());
  });

  test('when money moves on, then the next one begins where the first ended, and the first never changes', async () => {
    expectSuccess(await partner.sandbox.topup(newTopup()));
    const second = expectSuccess(await make(first.periodTo, new Date().toISOString()));
    expect([second.sequenceNumber, second.document.lines.length, second.document.netPosition]).toEqual([
      2, 1, -10,
    ]);
    const { items } = expectSuccess(await partner.sandbox.call<Page<Statement>>('/statements'));
    expect(items.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(items.every(({ document }) => !('lines' in document))).toBe(true);
    expect(expectSuccess(await partner.sandbox.call<Statement>(`/statements/${first.id}`))).toEqual(first);
  });

  test('when it is printed, then partner and operator get the same PDF, in the language that the partner had', async () => {
    const { backofficeUrl, operatorToken } = readPlatformFile();
    const ofOperator = `${backofficeUrl}/ops/v1/statements/${first.id}/pdf?partnerId=${partner.id}&environment=sandbox`;
    const { gatewayUrl } = partner.sandbox;
    const ofPartner = `${gatewayUrl}/api/v1/statements/${first.id}/pdf`;
    const pdf = await printed(ofPartner, await partner.sandbox.accessToken());
    expect(pdf.equals(await printed(ofOperator, operatorToken))).toBe(true);
    expect(pdf.toString('latin1')).toContain('NotoSansArabic-Bold');
    const unknown = await partner.sandbox.call(`/statements/${randomUUID()}/pdf`);
    expect([unknown.status, unknown.state]).toEqual([404, 'NOT_FOUND_STATEMENT']);
    const query = `partnerId=${partner.id}&environment=sandbox`;
    const { items } = await operator.get<Page<Statement>>(`/statements?${query}`);
    expect(items.map(({ id }) => id)).toContain(first.id);
  });

  test('when a period is reported, then it is provisional, and nothing is kept of it', async () => {
    const ahead = new Date(Date.now() + 86_400_000).toISOString();
    const report = expectSuccess(await partner.sandbox.call<Document>(reportOf(FROM, ahead)));
    expect([report.isProvisional, report.sequenceNumber, report.statementNumber]).toEqual([true, null, null]);
    expect(report.lines).toEqual((await partner.sandbox.transactions()).reverse());
  });

  test('when a period repeats, leaves a gap or ends ahead, then it is refused', async () => {
    const ahead = new Date(Date.now() + 86_400_000).toISOString();
    const refusals = await Promise.all([
      make(FROM, first.periodTo),
      make('2026-02-01T00:00:00.000Z', new Date().toISOString()),
      make(first.periodTo, ahead),
      make(first.periodTo, first.periodTo),
      operator.call('/statements', {
        body: { partnerId: randomUUID(), environment: 'live', periodFrom: FROM, periodTo: first.periodTo },
      }),
    ]);
    expect(refusals.map(({ status, state }) => [status, state])).toEqual([
      [409, 'CONFLICT_STATEMENT_PERIOD'],
      [409, 'CONFLICT_STATEMENT_PERIOD'],
      [400, 'VALIDATION_FAILED'],
      [400, 'VALIDATION_FAILED'],
      [404, 'NOT_FOUND_PARTNER'],
    ]);
  });

  test('when another partner or the other environment asks, then it does not exist', async () => {
    const stranger = await operator.newPartner({ deposit: 1 });
    for (const client of [stranger.sandbox, partner.live]) {
      const response = await client.call(`/statements/${first.id}`);
      expect([response.status, response.state]).toEqual([404, 'NOT_FOUND_STATEMENT']);
      expect(await client.all('/statements')).toEqual([]);
    }
  });

  test('when there is no wallet, then a statement and a report are NOT_FOUND_WALLET', async () => {
    const poor = await operator.newPartner();
    const body = { partnerId: poor.id, environment: 'live', periodFrom: FROM, periodTo: first.periodTo };
    expect((await operator.call('/statements', { body })).state).toBe('NOT_FOUND_WALLET');
    expect((await poor.live.call(reportOf(FROM, first.periodTo))).state).toBe('NOT_FOUND_WALLET');
  });
});

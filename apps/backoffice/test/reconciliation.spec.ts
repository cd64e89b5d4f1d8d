import { describe, expect, it } from '@jest/globals';
import {
  DifferenceState,
  ReconciliationServiceService,
  type RunReconciliationRequest,
} from '@reseller/contracts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { AT } from './support/samples';
import { type BackofficeResponse, OPERATOR_TOKEN, useBackoffice } from './support/backoffice';

const COMMAND = path.resolve(__dirname, '../../../libs/toolchain/reconcile.mjs');

const backoffice = useBackoffice();

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
    backoffice.reset();
    await backoffice.send('GET', '/reconciliation?service=finance&state=Accepted');
    expect(backoffice.calls[0]?.request).toMatchObject({ state: DifferenceState.ACCEPTED });
  });

  it('when one is accepted, then the audit names it before it is done, with who, why, and the figures that were read', async () => {
    const list = (await backoffice.send('GET', '/reconciliation?service=scent-commerce')).body.payload;
    const [one] = (list as { items: { id: string; state: string; acceptance: null }[] }).items;
    expect(one).toMatchObject({ state: 'Open', acceptance: null });
    backoffice.reset();
    const path = `/reconciliation/scent-commerce/${one?.id}/accept`;
    const body = { expected: '1.00', found: '2.00', notes: 'counted, ticket 4711' };
    expect((await backoffice.send('POST', path, { ...body, notes: '' })).status).toBe(400);
    expect((await backoffice.send('POST', path, { notes: 'without figures' })).status).toBe(400);
    expect(backoffice.rpcs()).toEqual([]);
    const { payload } = (await backoffice.send('POST', path, body)).body;
    const acceptance = { ...body, acceptedBy: 'olga', acceptedAt: AT.toISOString() };
    expect(payload).toMatchObject({ id: one?.id, state: 'Accepted', acceptance });
    expect(backoffice.rpcs()).toEqual(['getDifference', 'recordAuditEntry', 'acceptDifference']);
    const audited = backoffice.calls[1]?.request as { detailsJson: string };
    expect(audited).toMatchObject({ action: 'reconciliation.accept', subject: one?.id });
    const about = { service: 'scent-commerce', check: 'stock', kind: 'held', subject: 'stock 1' };
    expect(JSON.parse(audited.detailsJson)).toEqual({ ...about, ...body });
    backoffice.reset();
    const again = await backoffice.send('POST', path.replace('accept', 'reopen'), { notes: 'a mistake' });
    expect(again.body.payload).toMatchObject({ id: one?.id, state: 'Open' });
    expect(backoffice.rpcs()).toEqual(['getDifference', 'recordAuditEntry', 'reopenDifference']);
    expect(backoffice.calls[1]?.request).toMatchObject({ action: 'reconciliation.reopen' });
    const unknown = await backoffice.send('POST', `/reconciliation/finance/${one?.id}/accept`, body);
    expect(unknown.body).toMatchObject({ state: 'NOT_FOUND_DIFFERENCE' });
  });

  it('when a checkout without an order is freed, then the audit has why', async () => {
    const path = '/orders/SC-01K8QM071DFSARP6HZ9SEPRYWA/free-checkout';
    expect((await backoffice.send('POST', path, {})).status).toBe(400);
    expect((await backoffice.send('POST', path, { notes: 'restored' })).body.payload).toEqual({
      orderGlobalId: 'SC-01K8QM071DFSARP6HZ9SEPRYWA',
    });
    expect(backoffice.rpcs()).toEqual(['recordAuditEntry', 'freeCheckout']);
    expect(backoffice.calls[0]?.request).toMatchObject({
      action: 'checkout.free',
      subject: 'SC-01K8QM071DFSARP6HZ9SEPRYWA',
      detailsJson: '{"notes":"restored"}',
    });
  });

  it('when it is run, then every service is, and one that is away does not hide the others', async () => {
    const { body } = await backoffice.send('POST', `/reconciliation/run?since=${AT.toISOString()}`);
    expect(backoffice.calls.map(({ request }) => request)).toEqual(Array(3).fill({ since: AT }));
    expect(body.payload).toMatchObject({ since: AT.toISOString(), isComplete: true, openDifferences: 5 });
    backoffice.fakes.of('finance').fail('runReconciliation', 'SERVICE_UNAVAILABLE');
    const half = (await backoffice.send('POST', '/reconciliation/run')).body.payload;
    expect(half).toMatchObject({ isComplete: false, openDifferences: 3 });
    expect((half as { checks: unknown[] }).checks).toContainEqual(
      expect.objectContaining({ service: 'finance', check: '*', failure: expect.any(String) }),
    );
  });

  it('when a run is the first of several, then it says since when those that follow are to count, and no time to come will do', async () => {
    const first = await backoffice.send('POST', '/reconciliation/run');
    const { since } = first.body.payload as { since: string };
    expect(backoffice.calls.map(({ request }) => request)).toEqual(Array(3).fill({ since: new Date(since) }));
    expect((await backoffice.send('POST', `/reconciliation/run?since=${since}`)).status).toBe(200);
    const inTenMinutes = new Date(Date.parse(since) + 600_000).toISOString();
    const refused = await backoffice.send('POST', `/reconciliation/run?since=${inTenMinutes}`);
    expect(refused.body).toMatchObject({ state: 'VALIDATION_FAILED' });
    expect(JSON.stringify(refused.body)).toContain('send its since in those that follow');
  });

  it('when a history takes several runs, then `npm run reconcile` repeats them with one time until all is compared, and adds them up', async () => {
    const handlers = backoffice.fakes.of('orders-saga').handlers(ReconciliationServiceService);
    const { runReconciliation } = handlers;
    const since: (Date | undefined)[] = [];
    handlers.runReconciliation = (request: RunReconciliationRequest) => {
      since.push(request.since);
      const isComplete = since.length === 3;
      return { checks: [{ check: 'orders-funds', compared: 4_000, isComplete, openDifferences: 0 }] };
    };
    const env = { ...process.env, BACKOFFICE_URL: backoffice.url, OPERATOR_TOKEN };
    const command = spawn(process.execPath, [COMMAND], { env });
    const [output] = await Promise.all([text(command.stdout), once(command, 'exit')]);
    handlers.runReconciliation = runReconciliation;
    expect(output).toMatch(/^orders-saga +orders-funds +12000 +0$/m);
    expect(since).toEqual(Array(3).fill(expect.any(Date)));
    expect(new Set(since.map(Number)).size).toBe(1);
    // There are differences in the other services.
    expect(command.exitCode).toBe(1);
  });
});

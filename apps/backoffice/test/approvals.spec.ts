import { beforeEach, describe, expect, it } from '@jest/globals';
import { TOKENS } from './dependencies';
import { aPartner, aSummary } from './support/samples';
import { useBackoffice } from './support/backoffice';

const backoffice = useBackoffice();
beforeEach(() => {
  backoffice.reset();
  backoffice.knowPartner(aPartner({ id: aSummary.partnerId, name: 'Acme' }));
});

const idAt = (at: number) => `019a2f3c-0000-7000-8000-0000000000${at}`;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const [WALLET, ORDER, NOWHERE] = [idAt(30), idAt(40), idAt(99)];
const auditOf = (action: string) =>
  backoffice.calls.find(
    ({ method, request }) => method === 'recordAuditEntry' && actionIn(request) === action,
  );
const actionIn = (request: unknown): unknown => (request as { action?: string }).action;

describe('approvals (spec §18.3)', () => {
  it('when they are listed, then those of both services are one list, newest first, page by page', async () => {
    const pages = await Promise.all(
      [1, 2, 3].map(
        async (page) => (await backoffice.send('GET', `/approvals?page=${page}&pageSize=2`)).body.payload,
      ),
    );
    const ids = pages.map((page) => (page as { items: { id: string }[] }).items.map(({ id }) => id));
    expect(ids).toEqual([[idAt(40), idAt(30)], [idAt(20), idAt(10)], []]);
    expect(pages[1]).toMatchObject({ pagination: { page: 2, pageSize: 2, totalCount: 4, totalPages: 2 } });
    const none = await backoffice.send('GET', '/approvals?status=Lapsed');
    expect(none.body.payload).toMatchObject({ items: [], pagination: { totalPages: 0 } });
    expect((await backoffice.send('GET', '/approvals?status=Open')).body.state).toBe('VALIDATION_FAILED');
  });

  it('when one is read, then it has every field, whichever service keeps it', async () => {
    const { body } = await backoffice.send('GET', `/approvals/${WALLET}`);
    expect(body.payload).toEqual({
      id: WALLET,
      status: 'Pending',
      action: 'wallet.adjust',
      partnerId: aSummary.partnerId,
      partnerName: 'Acme',
      environment: 'live',
      amount: -1500.5,
      subject: expect.any(String),
      notes: 'by bank transfer',
      requestedBy: 'omar',
      requestedAt: '2026-03-01T10:00:00.030Z',
      expiresAt: '2026-03-04T10:00:00.000Z',
      decidedBy: null,
      decidedAt: null,
    });
    const order = await backoffice.send('GET', `/approvals/${ORDER}`);
    expect(order.body.payload).toMatchObject({ action: 'order.reverse', amount: 2000 });
    expect((await backoffice.send('GET', `/approvals/${NOWHERE}`)).body.state).toBe('NOT_FOUND_APPROVAL');
  });

  it('when a service is away that may have it, then it is not passed off as unknown', async () => {
    backoffice.fakes.of('orders-saga').fail('getApproval', 'SERVICE_UNAVAILABLE');
    expect((await backoffice.send('GET', `/approvals/${NOWHERE}`)).body.state).toBe('SERVICE_UNAVAILABLE');
    expect((await backoffice.send('GET', `/approvals/${WALLET}`)).status).toBe(200);
  });

  it.each([
    ['approve', WALLET, 'Approved'],
    ['reject', ORDER, 'Rejected'],
  ] as const)('when it is decided by %s, then the audit entry is there first', async (verb, id, status) => {
    const { body } = await backoffice.send('POST', `/approvals/${id}/${verb}`);
    expect(body.payload).toMatchObject({ id, status, decidedBy: 'olga', partnerName: 'Acme' });
    const changes = backoffice.rpcs().filter((rpc) => !rpc.startsWith('get'));
    expect(changes).toEqual(['recordAuditEntry', `${verb}Approval`]);
    expect(auditOf(`approval.${verb}`)?.request).toMatchObject({
      subject: id,
      partnerId: aSummary.partnerId,
    });
  });

  it('when it is decided, then by the role of its movement, and that is the role which is missing', async () => {
    const decide = async (id: string, token: string) => {
      const { body } = await backoffice.send('POST', `/approvals/${id}/approve`, undefined, bearer(token));
      return [body.state, body.details?.['role']];
    };
    const may = ['SUCCESS', undefined];
    const forbidden = (role: string) => ['FORBIDDEN_OPERATOR_ROLE', role];
    expect(await decide(WALLET, TOKENS.finance)).toEqual(may);
    expect(await decide(ORDER, TOKENS.support)).toEqual(may);
    expect(await decide(WALLET, TOKENS.support)).toEqual(forbidden('finance'));
    for (const token of [TOKENS.finance, TOKENS.viewer, TOKENS.catalog])
      expect(await decide(ORDER, token)).toEqual(forbidden('support'));
    for (const token of [TOKENS.finance, TOKENS.support])
      expect(await decide(NOWHERE, token)).toEqual(['NOT_FOUND_APPROVAL', undefined]);
    expect(await decide(NOWHERE, TOKENS.viewer)).toEqual(forbidden('finance'));
  });

  it.each([
    [
      'finance',
      'creditWallet',
      (): string => `/partners/${aSummary.partnerId}/wallet/credit`,
      'wallet.credit',
    ],
    ['orders-saga', 'reverseOrder', (): string => '/orders/ORD-1/reverse', 'order.reverse'],
  ] as const)(
    'when %s wants an approval for %s, then that has an audit entry too',
    async (app, rpc, path, action) => {
      backoffice.fakes.of(app).fail(rpc, 'CONFLICT_APPROVAL_REQUIRED');
      const credit = { environment: 'live', amount: 5000, idempotencyKey: 'k-1' };
      const body = action === 'wallet.credit' ? credit : { notes: 'sold twice' };
      const response = await backoffice.send('POST', path(), body);
      expect([response.status, response.body.state]).toEqual([409, 'CONFLICT_APPROVAL_REQUIRED']);
      expect(auditOf('approval.request')?.request).toMatchObject({
        partnerId: aSummary.partnerId,
        operator: 'olga',
        detailsJson: JSON.stringify({ action }),
      });
    },
  );
});

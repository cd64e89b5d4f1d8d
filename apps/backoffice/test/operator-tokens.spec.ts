import { describe, expect, it } from '@jest/globals';
import { OperatorRole } from '@reseller/contracts';
import { v4 as newId } from 'uuid';
import { OPERATOR_TOKEN, useBackoffice } from './support/backoffice';

const backoffice = useBackoffice();

const fields = ['id', 'name', 'roles', 'createdAt', 'expiresAt', 'lastUsedAt', 'revokedAt'];

describe('operator tokens (spec §18.1)', () => {
  it('when one is made, then it is in the response once, with what lists show', async () => {
    const body = { name: 'nightly', roles: ['support', 'finance'], expiresAt: '2999-01-01T00:00:00Z' };
    const { payload } = (await backoffice.send('POST', '/operator-tokens', body)).body;
    expect(Object.keys(payload as object).sort()).toEqual([...fields, 'token'].sort());
    expect(payload).toMatchObject({ ...body, expiresAt: '2999-01-01T00:00:00.000Z', token: OPERATOR_TOKEN });
    expect(backoffice.calls).toMatchObject([
      { method: 'createOperatorToken', request: { roles: [OperatorRole.SUPPORT, OperatorRole.FINANCE] } },
    ]);
  });

  it('when they are listed or one is revoked, then no secret is shown', async () => {
    const { items } = (await backoffice.send('GET', '/operator-tokens')).body.payload as { items: object[] };
    for (const item of items) expect(Object.keys(item).sort()).toEqual([...fields].sort());
    const id = newId();
    const revoked = (await backoffice.send('DELETE', `/operator-tokens/${id}`)).body.payload;
    expect(revoked).toMatchObject({ id, roles: ['viewer'], revokedAt: expect.any(String) });
    expect(Object.keys(revoked as object).sort()).toEqual([...fields].sort());
  });

  it.each([
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['roles', { roles: [] }],
    ['roles', { roles: ['admin', 'admin'] }],
    ['roles.0', { roles: ['root'] }],
    ['expiresAt', { expiresAt: '2020-01-01T00:00:00Z' }],
  ])('when %s is unfit (%j), then it is at fault', async (path, patch) => {
    const reply = await backoffice.send('POST', '/operator-tokens', {
      name: 'n',
      roles: ['viewer'],
      ...patch,
    });
    expect(reply.body.details).toMatchObject({ errors: [{ path }] });
    expect(backoffice.rpcs()).toEqual([]);
  });
});

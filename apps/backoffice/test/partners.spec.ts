import { describe, expect, it } from '@jest/globals';
import { useBackoffice } from './support/backoffice';

const backoffice = useBackoffice();

describe('partners', () => {
  it('when a partner is created, then the response comes once finance has seen it, in the operator’s name', async () => {
    const response = await backoffice.send('POST', '/partners', {
      name: 'Acme',
      displayCurrency: 'USD',
      commissionRate: 0.125,
    });
    expect(response.status).toBe(200);
    expect(response.body.payload).toMatchObject({
      name: 'Acme',
      commissionRate: 0.125,
      parentPartnerId: null,
    });
    expect(backoffice.rpcs()).toEqual(['createPartner', 'awaitPartnerVersion', 'awaitPartnerSettings']);
    expect(backoffice.calls.map(({ call }) => call.operator)).toEqual(['olga', 'olga', 'olga']);
  });

  it('when finance is away, then the change stands and is the response', async () => {
    backoffice.fakes.of('finance').fail('awaitPartnerVersion', 'SERVICE_UNAVAILABLE');
    const response = await backoffice.send('PATCH', `/partners/${backoffice.newPartner()}`, {
      displayCurrency: null,
      isActive: false,
    });
    expect(response.status).toBe(200);
    expect(backoffice.calls[0]).toMatchObject({
      method: 'updatePartner',
      request: { displayCurrency: '', isActive: false },
    });
  });

  it.each([
    ['freeze', true],
    ['unfreeze', false],
  ])('when a partner is to %s, then identity does it and the partner is returned', async (verb, isFrozen) => {
    const id = backoffice.newPartner();
    const response = await backoffice.send('POST', `/partners/${id}/${verb}`);
    expect(response.body.payload).toMatchObject({ name: 'Acme', isFrozen });
    expect(backoffice.calls).toMatchObject([
      { method: 'setPartnerFrozen', request: { partnerId: id, isFrozen }, call: { operator: 'olga' } },
      { method: 'awaitPartnerFreeze', request: { partnerId: id } },
    ]);
  });

  it('when a credential is made, then its secret is in the response', async () => {
    const response = await backoffice.send('POST', `/partners/${backoffice.newPartner()}/credentials`, {
      environment: 'sandbox',
    });
    expect(response.body.payload).toMatchObject({
      clientId: 'pk_1',
      clientSecret: 's3cret',
      environment: 'sandbox',
    });
    const revoked = await backoffice.send('DELETE', '/credentials/pk_1');
    expect(revoked.body.payload).toMatchObject({ clientId: 'pk_1', environment: 'live' });
  });

  it('when a credential is limited, then its end and networks are handed on, and a past end is refused (spec §18.6)', async () => {
    const path = `/partners/${backoffice.newPartner()}/credentials`;
    const limits = { expiresAt: '2999-01-01T00:00:00Z', allowedCidrs: ['203.0.113.0/24'] };
    const made = await backoffice.send('POST', path, { environment: 'live', ...limits });
    expect(made.status).toBe(200);
    expect(backoffice.calls[0]).toMatchObject({
      method: 'createCredential',
      request: { expiresAt: new Date(limits.expiresAt), allowedCidrs: limits.allowedCidrs },
    });
    const past = await backoffice.send('POST', path, {
      environment: 'live',
      expiresAt: '2020-01-01T00:00:00Z',
    });
    expect(past.body).toMatchObject({
      state: 'VALIDATION_FAILED',
      details: { errors: [{ path: 'expiresAt' }] },
    });
  });

  it('when credentials and sign-ins are listed, then they have exactly the fields of spec §18.6', async () => {
    const id = backoffice.newPartner();
    const fieldsOf = async (what: string): Promise<string[][]> => {
      const { body } = await backoffice.send('GET', `/partners/${id}/${what}`);
      return (body.payload as unknown as { items: object[] }).items.map((item) => Object.keys(item));
    };
    const credential = [
      ...['clientId', 'environment', 'createdAt', 'expiresAt'],
      ...['allowedCidrs', 'lastUsedAt', 'lastUsedFrom', 'revokedAt'],
    ];
    expect((await fieldsOf('credentials'))[0]).toEqual(credential);
    const signIn = ['at', 'clientId', 'environment', 'onBehalfOf', 'result', 'from', 'requestId'];
    expect((await fieldsOf('sign-ins'))[0]).toEqual(signIn);
  });
});

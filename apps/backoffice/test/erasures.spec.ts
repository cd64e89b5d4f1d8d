import { describe, expect, it } from '@jest/globals';
import { RecipientKind } from '@reseller/contracts';
import { useBackoffice } from './support/backoffice';
import { SUBJECT_HASH } from './support/serve-erasures';

const backoffice = useBackoffice();

const reason = 'ticket 4711';
const RUNNING = {
  id: expect.any(String),
  status: 'Running',
  kind: 'phoneNumber',
  subjectHash: SUBJECT_HASH,
  reason,
  requestedBy: 'olga',
  requestedAt: expect.any(String),
  completedAt: null,
  services: [{ name: 'orders-saga', status: 'Running', rows: 3 }],
};

describe('erasures (spec §18.10)', () => {
  it('when one is requested, then the audit names its recipient by the hash alone', async () => {
    const body = { phoneNumber: '+966540004711', reason };
    const { payload } = (await backoffice.send('POST', '/erasures', body)).body;
    expect(payload).toEqual(RUNNING);
    const entry = backoffice.calls.find(({ method }) => method === 'recordAuditEntry')?.request;
    expect(entry).toMatchObject({ action: 'erasure.request', subject: SUBJECT_HASH });
    expect(JSON.stringify(entry)).not.toContain('540004711');
  });

  it('when it is by e-mail address, then it is handed on as that', async () => {
    const body = { email: 'some.one@example.com', reason };
    const { payload } = (await backoffice.send('POST', '/erasures', body)).body;
    expect(payload).toMatchObject({ kind: 'email' });
    expect(backoffice.calls.find(({ method }) => method === 'requestErasure')?.request).toEqual({
      kind: RecipientKind.EMAIL,
      recipient: body.email,
      reason,
    });
  });

  it('when they are read, then each shows what it came to', async () => {
    const { payload } = (await backoffice.send('GET', '/erasures')).body;
    expect(payload).toMatchObject({ items: [RUNNING], pagination: { totalCount: 1 } });
    expect((await backoffice.send('GET', `/erasures/${'0'.repeat(8)}`)).body.state).toBe('VALIDATION_FAILED');
  });

  it.each([
    ['phoneNumber', { reason }],
    ['phoneNumber', { phoneNumber: '+966540004711', email: 'some.one@example.com', reason }],
    ['phoneNumber', { phoneNumber: '0540004711', reason }],
    ['email', { email: 'nobody', reason }],
    ['reason', { phoneNumber: '+966540004711' }],
  ])('when %s is unfit (%j), then it is at fault', async (path, body) => {
    const reply = await backoffice.send('POST', '/erasures', body);
    expect(reply.body.details).toMatchObject({ errors: [{ path }] });
  });
});

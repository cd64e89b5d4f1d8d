import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { DeadLetterReason, DeadLetterState } from '@reseller/contracts';
import { samplesFor } from '@reseller/testing';
import { aDeadLetter, AT } from './support/samples';
import { OPERATOR_TOKEN, useBackoffice } from './support/backoffice';

const backoffice = useBackoffice();

describe('dead letters', () => {
  const one = `/dead-letters/notifier/${aDeadLetter.id}`;
  const shown = {
    id: aDeadLetter.id,
    service: 'notifier',
    group: 'notifier.webhooks',
    aggregateSeq: 3,
    reason: 'Undecodable',
    explanation: {
      what: 'the payload is no OrderCompleted',
      where: 'in notifier.webhooks',
      whatToDo: 'Redrive it.',
    },
    state: 'Waiting',
    firstFailedAt: AT.toISOString(),
    decidedBy: null,
    notes: null,
  };

  it('when they are listed, then each service is read as filtered, and each event is explained', async () => {
    const { body } = await backoffice.send('GET', '/dead-letters?state=Waiting&reason=Undecodable');
    expect(body.payload).toMatchObject({ items: [shown], pagination: { totalCount: 1, totalPages: 1 } });
    const filter = { state: DeadLetterState.WAITING, reason: DeadLetterReason.UNDECODABLE, offset: 0 };
    expect(backoffice.calls.map(({ request }) => request)).toMatchObject([filter, filter, filter]);
    expect((await backoffice.send('GET', '/dead-letters?service=identity')).status).toBe(400);
    const { body: single } = await backoffice.send('GET', one);
    expect(single.payload).toMatchObject({ ...shown, payload: '/w==', detail: aDeadLetter.detail });
  });

  it('when the calls of docs/operators/dead-letters.md are pasted, then one is redriven and one dismissed', async () => {
    // The page's other commands need no backoffice: apps/notifier/test/dead-letters-page.spec.ts.
    const calls = samplesFor(__filename).flatMap(({ code }) => (code.startsWith('curl ') ? [code] : []));
    const env = {
      PATH: process.env['PATH'],
      BACKOFFICE: backoffice.url,
      OPERATOR_TOKEN: OPERATOR_TOKEN,
      ID: aDeadLetter.id,
    };
    const printed: unknown[] = [];
    for (const call of calls)
      printed.push(JSON.parse((await promisify(execFile)('sh', ['-c', call], { env })).stdout));
    expect(printed).toMatchObject([
      { state: 'SUCCESS', payload: { state: 'Redriven', decidedBy: 'olga' } },
      { state: 'SUCCESS', payload: { state: 'Dismissed', notes: 'sent by hand, see ticket 4711' } },
    ]);
  });

  it('when one is redriven or dismissed, then the audit names it before it is done', async () => {
    const redriven = await backoffice.send('POST', `${one}/redrive`);
    expect(redriven.body.payload).toMatchObject({ state: 'Redriven', decidedBy: 'olga' });
    expect(backoffice.rpcs()).toEqual(['getDeadLetter', 'recordAuditEntry', 'redriveDeadLetter']);
    const named = { subject: aDeadLetter.id };
    expect(backoffice.calls[1]?.request).toMatchObject({ ...named, action: 'dead-letter.redrive' });
    backoffice.reset();
    expect((await backoffice.send('POST', `${one}/dismiss`, { notes: '' })).status).toBe(400);
    const dismissed = await backoffice.send('POST', `${one}/dismiss`, { notes: 'a test' });
    expect(dismissed.body.payload).toMatchObject({ state: 'Dismissed', notes: 'a test' });
    expect(backoffice.rpcs()).toEqual(['getDeadLetter', 'recordAuditEntry', 'dismissDeadLetter']);
    expect(backoffice.calls[1]?.request).toMatchObject({
      ...named,
      action: 'dead-letter.dismiss',
      detailsJson: expect.stringContaining('"notes":"a test"'),
    });
  });

  it('when all of a reason are redriven, then that is audited and counted', async () => {
    const body = { service: 'notifier', reason: 'EndsProcess' };
    const response = await backoffice.send('POST', '/dead-letters/redrive', body);
    expect(response.body.payload).toEqual({ redriven: 2, failed: 1, isComplete: true });
    expect(backoffice.rpcs()).toEqual(['recordAuditEntry', 'redriveDeadLetters']);
    expect(backoffice.calls[1]?.request).toMatchObject({ reason: DeadLetterReason.ENDS_PROCESS });
  });
});

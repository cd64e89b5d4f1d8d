import { afterEach, describe, expect, it } from '@jest/globals';
import { Environment } from '@reseller/contracts';
import { requirePartner, type CallContext } from '../src';
import { aCall, closeEchoes, connectEcho, latch, startEcho } from './echo';

afterEach(closeEchoes);

async function contextSeenFor(call: CallContext): Promise<CallContext> {
  const seen = latch<CallContext>();
  const { port } = await startEcho((request, context) => {
    seen.release(context);
    return Promise.resolve(request);
  });
  await connectEcho(port, { defaultDeadlineMs: 60_000 }).say({ text: 'x' }, call);
  return seen.promise;
}

describe('the context of a call', () => {
  it('when a delegated call of an operator is made, then the peer sees the whole of it', async () => {
    const call: CallContext = {
      requestId: 'r-1',
      operator: 'Zoë Müller 100%',
      operatorAccount: 'https://login.example.com zoë',
      idempotency: { key: 'a key, 100%', fingerprint: 'f-1' },
      acceptsStale: true,
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      partner: {
        partnerId: 'p3',
        partnerGlobalId: 'g3',
        path: ['p1', 'p2', 'p3'],
        environment: Environment.LIVE,
        clientId: 'client-3',
        actingPartnerId: 'p1',
        actingClientId: 'client-1',
      },
    };
    expect(await contextSeenFor(call)).toMatchObject(call);
  });

  it('when a call carries no partner, then asking for one is INTERNAL_ERROR', async () => {
    const seen = await contextSeenFor(aCall);
    expect(seen.partner).toBeUndefined();
    expect(() => requirePartner(seen)).toThrow(expect.objectContaining({ code: 'INTERNAL_ERROR' }));
  });

  it('when the caller has less time left than the deadline requested, then the peer sees the earlier one', async () => {
    const deadlineAt = Date.now() + 10_000;
    const seen = await contextSeenFor({ requestId: 'r', deadlineAt });
    expect(Math.abs((seen.deadlineAt ?? 0) - deadlineAt)).toBeLessThan(8_000);
  });

  it('when a call has ended, then its signal does not abort afterwards', async () => {
    const seen = await contextSeenFor(aCall);
    await closeEchoes();
    expect(seen.signal?.aborted).toBe(false);
  });

  it('when the caller gives up, then the handler is notified and the caller gets SERVICE_UNAVAILABLE', async () => {
    const entered = latch();
    const reported = latch();
    const { port } = await startEcho((request, { signal }) => {
      signal?.addEventListener('abort', () => reported.release());
      entered.release();
      return reported.promise.then(() => request);
    });
    const caller = new AbortController();
    const response = connectEcho(port).say({ text: 'x' }, { requestId: 'r', signal: caller.signal });
    const refused = expect(response).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await entered.promise;
    caller.abort();
    await Promise.all([refused, reported.promise]);
    const late = connectEcho(port).say({ text: 'x' }, { requestId: 'r', signal: caller.signal });
    await expect(late).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

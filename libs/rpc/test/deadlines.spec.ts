import { afterEach, describe, expect, it } from '@jest/globals';
import { credentials, status } from '@grpc/grpc-js';
import { detachCall, type CallContext } from '../src';
import { aCall, callBare, closeEchoes, connectEcho, latch, startEcho } from './echo';

afterEach(closeEchoes);

describe('the deadline of a call', () => {
  it.each([0, -1, NaN, Infinity])('when a client is made with a deadline of %d, then it is refused', (ms) => {
    expect(() => connectEcho(1, { defaultDeadlineMs: ms })).toThrow(/needs a deadline/);
  });

  it('when the deadline has passed already, then nothing is sent', async () => {
    let calls = 0;
    const { port } = await startEcho((request) => {
      calls += 1;
      return Promise.resolve(request);
    });
    const client = connectEcho(port);
    const late = client.say({ text: 'x' }, { requestId: 'r', deadlineAt: Date.now() - 1 });
    await expect(late).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await client.say({ text: 'x' }, aCall);
    expect(calls).toBe(1);
  });

  it('when a handler asks on, then its peer has the same deadline; detached, it has the client’s own', async () => {
    const seen: CallContext[] = [];
    const behind = await startEcho((request, call) => {
      seen.push(call);
      return Promise.resolve(request);
    });
    const onward = connectEcho(behind.port, { defaultDeadlineMs: 60_000 });
    const { port } = await startEcho(async (request, call) => {
      await onward.say(request, call);
      return onward.say(request, detachCall(call));
    });
    const deadlineAt = Date.now() + 20_000;
    const caller = connectEcho(port, { defaultDeadlineMs: 60_000 });
    await caller.say({ text: 'x' }, { requestId: 'r', deadlineAt });
    const [inherited, detached] = seen.map((call) => (call.deadlineAt ?? 0) - deadlineAt);
    expect(Math.abs(inherited ?? NaN)).toBeLessThan(10_000);
    expect(detached).toBeGreaterThan(30_000);
    expect(seen.map(({ requestId }) => requestId)).toEqual(['r', 'r']);
  });

  it('when a stranger’s call has none, then the server bounds it: the handler has one, and is notified when it passes', async () => {
    const reported = latch<CallContext>();
    const { port } = await startEcho(
      (_request, call) => {
        call.signal?.addEventListener('abort', () => reported.release(call));
        return new Promise(() => undefined);
      },
      { unstatedDeadlineMs: 100 },
    );
    const before = Date.now();
    await expect(callBare(port, credentials.createInsecure())).rejects.toMatchObject({
      code: status.UNAVAILABLE,
    });
    const { deadlineAt = 0 } = await reported.promise;
    // The server's own bound for such calls is 15 s.
    expect(deadlineAt - before).toBeLessThan(10_000);
  });
});

import { afterEach, describe, expect, it } from '@jest/globals';
import { AppError, isAppError } from '@reseller/errors';
import { RpcServer } from '../src';
import { aCall, closeEchoes, connectEcho, latch, MemoryLog, startEcho, type EchoHandlers } from './echo';

afterEach(closeEchoes);

async function failureOf(say: EchoHandlers['say'], log = new MemoryLog()): Promise<AppError> {
  const { port } = await startEcho(say, { log });
  const failure: unknown = await connectEcho(port)
    .say({ text: 'x' }, aCall)
    .catch((error: unknown) => error);
  if (!isAppError(failure)) throw new Error('expected an AppError', { cause: failure });
  return failure;
}

describe('errors across RPC', () => {
  it('when a handler throws an error of the catalogue, then code and details reach the caller', async () => {
    const details = { message: 'Zu wenig Guthaben – رصيد', missing: '12.50', list: [1, null, { a: true }] };
    const failure = await failureOf(() =>
      Promise.reject(new AppError('BUSINESS_INSUFFICIENT_BALANCE', details)),
    );
    expect(failure.code).toBe('BUSINESS_INSUFFICIENT_BALANCE');
    expect(failure.details).toEqual(details);
    expect(failure.message).toBe(details.message);
  });

  it('when a handler throws before its first await, then it is a failure like any other', async () => {
    const failure = await failureOf(() => {
      throw new AppError('NOT_FOUND_ORDER');
    });
    expect(failure.code).toBe('NOT_FOUND_ORDER');
    expect(failure.details).toEqual({});
  });

  it('when details are larger than a trailer usually is, then they still arrive', async () => {
    const errors = Array.from({ length: 300 }, (_, i) => ({
      path: `lines.${i}.quantity`,
      message: 'must be 1 to 999',
    }));
    const failure = await failureOf(() => Promise.reject(new AppError('VALIDATION_FAILED', { errors })));
    expect(failure.code).toBe('VALIDATION_FAILED');
    expect(failure.details['errors']).toHaveLength(300);
  });

  it('when a fault is not of the catalogue, then its text stays inside and is logged in full with the request id', async () => {
    const log = new MemoryLog();
    const fault = new Error('duplicate key in table wallet at 10.0.0.7');
    const failure = await failureOf(() => Promise.reject(fault), log);
    expect(failure.code).toBe('INTERNAL_ERROR');
    expect(failure.details).toEqual({});
    expect(`${failure.message} ${String(failure.cause)}`).not.toMatch(/wallet|10\.0\.0/);
    expect(log.above('debug')).toEqual([
      {
        level: 'error',
        fields: expect.objectContaining({ requestId: 'request-1', err: fault }),
        message: expect.any(String),
      },
    ]);
  });

  it('when an expected refusal is returned, then nothing is logged', async () => {
    const log = new MemoryLog();
    await failureOf(() => Promise.reject(new AppError('BUSINESS_CART_EMPTY')), log);
    expect(log.above('debug')).toEqual([]);
  });

  it('when a method is not served by the peer, then it is INTERNAL_ERROR with the peer in the cause only', async () => {
    const server = new RpcServer({ services: [], log: new MemoryLog() });
    const port = await server.listen('127.0.0.1', 0);
    const failure: unknown = await connectEcho(port)
      .say({ text: 'x' }, aCall)
      .catch((error: unknown) => error);
    await server.drain(0);
    expect(failure).toMatchObject({ code: 'INTERNAL_ERROR', details: {} });
    expect(String((failure as AppError).cause)).toContain('echo');
  });

  it('when a call outlives the drain of its server, then it is cut off as SERVICE_UNAVAILABLE and not sent again', async () => {
    const entered = latch();
    let calls = 0;
    const { server, port } = await startEcho(async () => {
      calls += 1;
      entered.release();
      return new Promise(() => undefined);
    });
    const response = connectEcho(port, { defaultDeadlineMs: 600_000 }).say({ text: 'x' }, aCall);
    await entered.promise;
    await Promise.all([
      server.drain(0),
      expect(response).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' }),
    ]);
    expect(calls).toBe(1);
  });
});

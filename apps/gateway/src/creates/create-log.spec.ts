import { describe, expect, it, jest } from '@jest/globals';
import { Environment, type RecordCreatesRequest } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { Registry } from 'prom-client';
import { CreateLog } from './create-log';

const AT = Date.parse('2026-11-23T12:00:00.000Z');

/** A log on a clock of its own, and what it has sent; `fails` are the calls that are lost after they were taken. */
function aLog(fails = 0) {
  const sent: RecordCreatesRequest[] = [];
  const clock = { now: AT };
  const metrics = new Registry();
  const log = new CreateLog({
    send: async (request) => {
      sent.push(structuredClone(request));
      if (sent.length <= fails) throw new AppError('SERVICE_UNAVAILABLE');
    },
    log: { warn: jest.fn() },
    metrics,
    now: () => clock.now,
  });
  return { log, sent, clock, metrics };
}

describe('what creates came to (spec §18.7)', () => {
  it('when creates got their responses, then a batch has each by environment and code, with its moment and its time', async () => {
    const { log, sent, clock } = aLog();
    log.record(Environment.SANDBOX, undefined, 12.6);
    clock.now += 7;
    log.record(Environment.SANDBOX, undefined, 0.4);
    log.record(Environment.LIVE, 'VALIDATION_FAILED', 1);
    await log.reports.flush();
    await log.reports.flush();
    expect(sent).toHaveLength(1);
    expect(sent[0]?.batches).toEqual([
      {
        sequence: '1',
        startedAt: new Date(AT),
        results: [
          { environment: Environment.SANDBOX, code: '', offsetsMs: [0, 7], durationsMs: [13, 0] },
          { environment: Environment.LIVE, code: 'VALIDATION_FAILED', offsetsMs: [7], durationsMs: [] },
        ],
      },
    ]);
  });

  it('when a call is lost, then the same batch goes again, before what came meanwhile', async () => {
    const { log, sent } = aLog(1);
    log.record(Environment.LIVE, undefined, 5);
    await log.reports.flush();
    log.record(Environment.LIVE, undefined, 6);
    await log.reports.stop();
    const [first, second] = sent;
    expect(second?.gatewayId).toBe(first?.gatewayId);
    expect(second?.batches[0]).toEqual(first?.batches[0]);
    expect(second?.batches.map(({ sequence }) => sequence)).toEqual(['1', '2']);
  });

  it('when a batch lasts or the clock is set back, then another one begins', async () => {
    const { log, sent, clock } = aLog();
    for (const step of [0, 10_001, -5]) {
      clock.now += step;
      log.record(Environment.LIVE, undefined, 5);
    }
    await log.reports.flush();
    expect(sent[0]?.batches.map(({ results }) => results[0]?.offsetsMs)).toEqual([[0], [0], [0]]);
  });

  it('when orders-saga is away for long, then no more is kept than there is room for, and the rest is counted', async () => {
    const { log, sent, metrics } = aLog(Infinity);
    for (let n = 0; n < 200_003; n += 1) log.record(Environment.LIVE, 'SERVICE_UNAVAILABLE', 1);
    await log.reports.stop();
    expect(sent[0]?.batches[0]?.results[0]?.offsetsMs).toHaveLength(200_000);
    expect(await metrics.metrics()).toContain('gateway_creates_uncounted_total 3');
  });
});

import { describe, expect, it } from '@jest/globals';
import type { AttemptResult } from '../../delivery/domain/attempt';
import { gradeOf, type Check } from './diagnosis';
import { judgeReceiver, judgeUnreachable, type Probes } from './judge-receiver';

const NOW = new Date('2026-01-15T09:30:00Z');
const DAY_MS = 86_400_000;

const responded = (responseStatus: number, durationMs = 20): AttemptResult => ({
  responseStatus,
  durationMs,
  errorSummary: responseStatus < 300 ? null : 'Delivery failed',
});
const TIMEOUT: AttemptResult = { responseStatus: null, durationMs: 10_000, errorSummary: 'Timeout' };

const CAREFUL: Probes = {
  signed: responded(204),
  forged: responded(400),
  stale: responded(400),
  repeated: responded(200),
  unknownType: responded(204),
};

const judge = (
  probes: Partial<Probes> = {},
  certificate: { fault: string | null; days: number } | null = null,
) =>
  judgeReceiver(
    {
      outcome: 'reached',
      durationMs: 5,
      certificate: certificate && {
        fault: certificate.fault,
        validUntil: new Date(NOW.getTime() + certificate.days * DAY_MS),
      },
    },
    { ...CAREFUL, ...probes },
    NOW,
  );

const resultsOf = (checks: readonly Check[]) =>
  Object.fromEntries(checks.map(({ name, result }) => [name, result]));

describe('what a receiver is judged to be (spec §17.3)', () => {
  it('when it does everything well over http, then all is Pass but the certificate, and so is the grade', () => {
    const checks = judge();
    expect(checks.map(({ name, result }) => [name, result])).toEqual([
      ['reachable', 'Pass'],
      ['certificate', 'Skipped'],
      ['signed-accepted', 'Pass'],
      ['forged-rejected', 'Pass'],
      ['stale-rejected', 'Pass'],
      ['repeat-accepted', 'Pass'],
      ['unknown-type-accepted', 'Pass'],
      ['fast', 'Pass'],
    ]);
    expect(gradeOf(checks)).toBe('Pass');
  });

  it('when it believes everybody, then forged and stale are Fail, and nothing else is', () => {
    const checks = judge({ forged: responded(200), stale: responded(202) });
    const failed = checks.filter(({ result }) => result === 'Fail').map(({ name }) => name);
    expect(failed).toEqual(['forged-rejected', 'stale-rejected']);
    expect(gradeOf(checks)).toBe('Fail');
  });

  it.each([
    ['the first', { signed: responded(500) }, ['signed-accepted', 'repeat-accepted']],
    ['the repetition', { repeated: responded(409) }, ['repeat-accepted']],
    ['an unknown type', { unknownType: responded(422) }, ['unknown-type-accepted']],
    ['a redirect in place of a response', { unknownType: responded(302) }, ['unknown-type-accepted']],
  ])('when it does not accept %s, then that is Fail', (_what, probes, failed) => {
    const checks = judge(probes);
    expect(checks.filter(({ result }) => result === 'Fail').map(({ name }) => name)).toEqual(failed);
  });

  it.each([
    [1_999, 'Pass'],
    [2_000, 'Warn'],
    [9_999, 'Warn'],
    [10_000, 'Fail'],
  ])(
    'when the slowest accepted one took %i ms, then fast is %s and the grade with it',
    (durationMs, result) => {
      const checks = judge({ repeated: responded(204, durationMs), forged: responded(400, 30_000) });
      expect(checks.at(-1)).toMatchObject({ name: 'fast', result, durationMs });
      expect(gradeOf(checks)).toBe(result);
    },
  );

  it('when it responds with nothing, then what must not be accepted is Pass, and there is nothing to be fast', () => {
    const silent = {
      signed: TIMEOUT,
      forged: TIMEOUT,
      stale: TIMEOUT,
      repeated: TIMEOUT,
      unknownType: TIMEOUT,
    };
    expect(resultsOf(judge(silent))).toMatchObject({
      reachable: 'Pass',
      'signed-accepted': 'Fail',
      'forged-rejected': 'Pass',
      fast: 'Skipped',
    });
  });

  it.each([
    [null, 14, 'Pass'],
    [null, 13.9, 'Warn'],
    ['CERT_HAS_EXPIRED', -1, 'Fail'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 90, 'Fail'],
    ['SOMETHING_NEW', 90, 'Fail'],
  ])('when deliveries say %s of a certificate with %s days left, then it is %s', (fault, days, result) => {
    expect(judge({}, { fault, days })[1]).toMatchObject({ name: 'certificate', result });
  });

  it.each(['rejected', 'unresolvable', 'failed', 'timeout'] as const)(
    'when it cannot be reached (%s), then that is Fail and every other check Skipped',
    (outcome) => {
      const checks = judgeUnreachable({ outcome, durationMs: 7 });
      expect(checks.map(({ name }) => name)).toEqual(judge().map(({ name }) => name));
      expect(checks.map(({ result }) => result)).toEqual(['Fail', ...Array<string>(7).fill('Skipped')]);
      expect(gradeOf(checks)).toBe('Fail');
    },
  );
});

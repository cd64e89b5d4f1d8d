import { describe, expect, it } from '@jest/globals';
import {
  CertificationStep,
  Environment,
  EvidenceType,
  SightingKind,
  type RecordSightingsRequest,
} from '@reseller/contracts';
import type { Caller } from '../security/claims';
import { sight } from './sight';
import { SightingLog } from './sighting-log';

const { REFUSAL_MET, PENDING_ORDER_FOLLOWED, LIMIT_RESPECTED } = CertificationStep;
const { WHOLE, SECOND } = SightingKind;

const caller = (
  partnerId = 'p1',
  environment = Environment.SANDBOX,
): Pick<Caller, 'scope' | 'limitedAs'> => ({
  scope: { partnerId, partnerGlobalId: 'PRT-1', path: [partnerId], environment, clientId: 'pk_1' },
  limitedAs: 'pk_1',
});
const seen = (step = REFUSAL_MET, kind = WHOLE, id = 'TU-1') => [sight(step, kind, EvidenceType.ORDER, id)];

function start(shown: Record<string, CertificationStep[]> = {}) {
  const sent: RecordSightingsRequest[] = [];
  const state = { now: 1_000, failures: 0 };
  const log = new SightingLog({
    send: async (request) => {
      if (state.failures > 0) {
        state.failures -= 1;
        throw new Error('away');
      }
      sent.push(structuredClone(request));
      return { shown: Object.entries(shown).map(([partnerId, steps]) => ({ partnerId, steps })) };
    },
    log: { warn: () => undefined },
    now: () => state.now,
  });
  return { log, sent, state };
}
const momentsOf = ({ calls }: RecordSightingsRequest) =>
  calls.flatMap(({ calledAt }) => calledAt.map((at) => at.getTime()));

describe('the log of sightings (spec §17.6)', () => {
  it('when a token is live, then it is not looked at', () => {
    expect(start().log.watches(caller('p1', Environment.LIVE))).toBe(false);
    expect(start().log.watches(caller())).toBe(true);
  });

  it('when calls come within a tenth of a second of each other, then the first of them is reported', async () => {
    const { log, sent, state } = start();
    for (const now of [1_000, 1_050, 1_099, 1_100, 1_300]) {
      state.now = now;
      log.called(caller());
    }
    await log.reports.flush();
    expect(sent.map(momentsOf)).toEqual([[1_000, 1_100, 1_300]]);
  });

  it('when a credential has to wait again, then the later time is reported', async () => {
    const { log, sent, state } = start();
    log.limited(caller(), 'r1', 1);
    state.now = 1_200;
    log.limited(caller(), 'r2', 3);
    await log.reports.flush();
    expect(sent[0]?.calls).toMatchObject([
      { clientId: 'pk_1', limits: [{ at: new Date(1_200), retryAfterSeconds: 3, requestId: 'r2' }] },
    ]);
  });

  it('when the same is seen twice, then it is reported once: the first time, of a second half the last', async () => {
    const { log, sent, state } = start();
    const second = seen(PENDING_ORDER_FOLLOWED, SECOND);
    for (const now of [1_000, 1_200]) {
      state.now = now;
      log.see(caller(), `r-${now}`, [...seen(), ...second]);
    }
    await log.reports.flush();
    expect(sent[0]?.sightings.map(({ step, at }) => [step, at?.getTime()])).toEqual([
      [REFUSAL_MET, 1_000],
      [PENDING_ORDER_FOLLOWED, 1_200],
    ]);
  });

  it('when a partner has shown a step, then no more of it is reported, and of the others everything is', async () => {
    const { log, sent } = start({ p1: [REFUSAL_MET, LIMIT_RESPECTED] });
    log.see(caller(), 'r', seen());
    await log.reports.flush();
    log.called(caller());
    log.limited(caller(), 'r', 1);
    log.see(caller(), 'r', seen());
    await log.reports.flush();
    expect(sent).toHaveLength(1);
    log.see(caller(), 'r', seen(PENDING_ORDER_FOLLOWED, SECOND));
    log.see(caller('p2'), 'r', seen());
    await log.reports.flush();
    expect(sent[1]?.sightings.map(({ partnerId, step }) => [partnerId, step])).toEqual([
      ['p1', PENDING_ORDER_FOLLOWED],
      ['p2', REFUSAL_MET],
    ]);
  });

  it('when identity is away, then what was seen is sent again, and in calls no larger than it takes', async () => {
    const { log, sent, state } = start();
    state.failures = 1;
    for (let n = 0; n < 2_500; n += 1)
      log.see(caller(), 'r', seen(PENDING_ORDER_FOLLOWED, SECOND, `TU-${n}`));
    await log.reports.flush();
    expect(sent).toEqual([]);
    await log.reports.stop();
    expect(sent.map(({ sightings }) => sightings.length)).toEqual([2_000, 500]);
  });

  it('when it stays away, then no more is kept than fits', async () => {
    const { log, sent, state } = start();
    state.failures = 1;
    for (let n = 0; n < 21_000; n += 1)
      log.see(caller(), 'r', seen(PENDING_ORDER_FOLLOWED, SECOND, `TU-${n}`));
    await log.reports.flush();
    await log.reports.flush();
    expect(sent.reduce((sum, { sightings }) => sum + sightings.length, 0)).toBe(20_000);
  });
});

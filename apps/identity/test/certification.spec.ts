import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  CertificationStep,
  CertifiedProduct,
  Environment,
  EvidenceType,
  SightingKind,
  type Certification,
  type Sighting,
} from '@reseller/contracts';
import {
  byOperator,
  register,
  startFixture,
  UNLIMITED,
  type Fixture,
  type Instance,
} from './identity-fixture';
import { eventually } from '@reseller/testing';

const { TOPUP_ORDER, ESIM_ORDER, SCENT_ORDER, REFUSAL_MET, STATEMENT_READ, DIAGNOSIS_PASSED } =
  CertificationStep;
const { PENDING_ORDER_FOLLOWED, LOST_RESPONSE_REPEATED, LIMIT_RESPECTED } = CertificationStep;
const { WHOLE, FIRST, SECOND } = SightingKind;
const CLIENT = 'pk_sandbox_1';
/** Longer ago than the settling of a limit takes. */
const START = Date.now() - 60_000;
const at = (ms: number): Date => new Date(START + ms);

let fixture: Fixture;
let other: Instance;
let partnerId: string;
beforeAll(async () => {
  fixture = await startFixture();
  other = await fixture.start();
});
afterAll(() => fixture.stop());
beforeEach(async () => {
  partnerId = await register(fixture, 'Certified');
});

const sighting = (step: CertificationStep, kind: SightingKind, ms: number, subject = 'TU-1'): Sighting => ({
  ...{ partnerId, step, kind, subject, at: at(ms) },
  evidence: { type: EvidenceType.ORDER, id: subject, requestId: `req-${ms}` },
});
const gateway = { requestId: 'gateway' };
const report = (...sightings: Sighting[]) =>
  fixture.sightings.recordSightings({ sightings, calls: [] }, gateway);
/** Calls, and waits as [from, seconds]. */
const reportCalls = (calls: readonly number[], waits: readonly (readonly [number, number])[] = []) =>
  other.sightings.recordSightings(
    {
      sightings: [],
      calls: [
        {
          ...{ partnerId, clientId: CLIENT },
          calledAt: calls.map(at),
          limits: waits.map(([from, retryAfterSeconds]) => ({
            ...{ at: at(from), retryAfterSeconds, requestId: `req-${from}` },
          })),
        },
      ],
    },
    gateway,
  );
const read = async (): Promise<Certification> => {
  const { certification } = await fixture.certificationOperations.getPartnerCertification(
    { partnerId },
    byOperator,
  );
  if (!certification) throw new Error('no certification in the response');
  return certification;
};
const shown = async (): Promise<CertificationStep[]> =>
  (await read()).steps.filter(({ shownAt }) => shownAt).map(({ step }) => step);
const rowsOf = async (table: string): Promise<unknown[]> =>
  (await fixture.database.pool.query(`SELECT * FROM ${table} WHERE partner_id = $1`, [partnerId])).rows;

/** What shows everything but these steps. */
const allBut = (...left: CertificationStep[]): Sighting[] =>
  [
    sighting(TOPUP_ORDER, WHOLE, 1),
    sighting(ESIM_ORDER, WHOLE, 2),
    sighting(SCENT_ORDER, WHOLE, 3),
    sighting(REFUSAL_MET, WHOLE, 4),
    sighting(STATEMENT_READ, WHOLE, 5),
    sighting(DIAGNOSIS_PASSED, WHOLE, 6),
    sighting(PENDING_ORDER_FOLLOWED, FIRST, 7),
    sighting(PENDING_ORDER_FOLLOWED, SECOND, 8),
    sighting(LOST_RESPONSE_REPEATED, FIRST, 9),
    sighting(LOST_RESPONSE_REPEATED, SECOND, 10),
  ].filter(({ step }) => !left.includes(step));
async function respectLimit(): Promise<void> {
  await reportCalls([100, 1_200], [[100, 1]]);
  await fixture.identity.settleLimits();
}

describe('sightings (spec §17.6)', () => {
  it('when a step is shown whole, then the first evidence of it stays, however often it is reported', async () => {
    await report(sighting(TOPUP_ORDER, WHOLE, 50, 'TU-2'));
    await report(sighting(TOPUP_ORDER, WHOLE, 10, 'TU-1'), sighting(TOPUP_ORDER, WHOLE, 50, 'TU-2'));
    const [first] = (await read()).steps;
    expect(first).toEqual({
      ...{ step: TOPUP_ORDER, shownAt: at(50) },
      evidence: { type: EvidenceType.ORDER, id: 'TU-2', requestId: 'req-50' },
    });
  });

  it.each([
    ['in their order', [FIRST, SECOND]],
    ['the second before the first', [SECOND, FIRST]],
    ['each twice', [SECOND, FIRST, FIRST, SECOND]],
  ])('when two halves come %s, then the step is shown by the second', async (_, kinds) => {
    for (const kind of kinds) await report(sighting(LOST_RESPONSE_REPEATED, kind, kind === FIRST ? 10 : 20));
    const step = (await read()).steps.find((one) => one.step === LOST_RESPONSE_REPEATED);
    expect(step).toMatchObject({ shownAt: at(20), evidence: { requestId: 'req-20' } });
    expect(await rowsOf('certification_halves')).toEqual([]);
  });

  it('when halves are of two orders, or the second was before the first, then nothing is shown', async () => {
    await report(
      sighting(PENDING_ORDER_FOLLOWED, FIRST, 10, 'TU-1'),
      sighting(PENDING_ORDER_FOLLOWED, SECOND, 20, 'TU-2'),
      sighting(PENDING_ORDER_FOLLOWED, SECOND, 5, 'TU-1'),
    );
    expect(await shown()).toEqual([]);
    await report(sighting(PENDING_ORDER_FOLLOWED, SECOND, 30, 'TU-1'));
    expect(await shown()).toEqual([PENDING_ORDER_FOLLOWED]);
  });

  it('when a step is shown, then what else is seen of it is not kept, and gateways hear that they need not report it', async () => {
    await report(...allBut());
    await report(sighting(LOST_RESPONSE_REPEATED, FIRST, 70, 'TU-7'));
    expect(await rowsOf('certification_halves')).toEqual([]);
    const { shown: said } = await reportCalls([5]);
    expect(said).toEqual([{ partnerId, steps: expect.arrayContaining([TOPUP_ORDER, STATEMENT_READ]) }]);
    expect(said[0]?.steps).not.toContain(LIMIT_RESPECTED);
  });

  it('when a partner has a thousand first halves, then another is not kept, and their second ones still count', async () => {
    const firsts = (from: number) =>
      Array.from({ length: 500 }, (_, n) => sighting(PENDING_ORDER_FOLLOWED, FIRST, n, `TU-${from + n}`));
    await report(...firsts(0));
    await report(...firsts(500));
    await report(sighting(PENDING_ORDER_FOLLOWED, FIRST, 1, 'TU-1001'));
    expect(await rowsOf('certification_halves')).toHaveLength(1_000);
    await report(sighting(PENDING_ORDER_FOLLOWED, SECOND, 1_000, 'TU-999'));
    expect(await shown()).toEqual([PENDING_ORDER_FOLLOWED]);
  });

  it('when it is read while the last step is shown, then whoever sees that step sees the partner certified', async () => {
    for (let round = 0; round < 15; round += 1) {
      partnerId = await register(fixture, `Certified ${round}`);
      await report(...allBut(STATEMENT_READ));
      await respectLimit();
      const reported = report(sighting(STATEMENT_READ, WHOLE, 2_000));
      const readUntilShown = async (): Promise<Certification> => {
        for (;;) {
          const certification = await read();
          if (certification.steps.every(({ shownAt }) => shownAt)) return certification;
        }
      };
      const seen = await Promise.all(Array.from({ length: 4 }, readUntilShown));
      await reported;
      for (const { certifiedAt } of seen) expect(certifiedAt).toBeInstanceOf(Date);
    }
  });

  it('when it is about a partner that is not there, then the others of the batch are kept', async () => {
    const nobody = '018f0000-0000-7000-8000-00000000dead';
    await report(
      { ...sighting(REFUSAL_MET, WHOLE, 1), partnerId: nobody },
      { ...sighting(PENDING_ORDER_FOLLOWED, FIRST, 1), partnerId: nobody },
      sighting(REFUSAL_MET, WHOLE, 2),
    );
    expect(await shown()).toEqual([REFUSAL_MET]);
  });
});

describe('a limit (spec §17.6)', () => {
  const settle = async (): Promise<CertificationStep[]> => {
    await fixture.identity.settleLimits();
    return shown();
  };

  it('when the next call comes after Retry-After, then it is respected, by that call', async () => {
    await reportCalls([0], [[10, 2]]);
    expect(await settle()).toEqual([]);
    await reportCalls([2_015, 4_000]);
    expect(await settle()).toEqual([LIMIT_RESPECTED]);
    const step = (await read()).steps.find((one) => one.step === LIMIT_RESPECTED);
    expect(step).toMatchObject({ shownAt: at(2_015), evidence: { id: 'req-10' } });
  });

  it('when a call came before its end, then it is not, also when another gateway reports that call later', async () => {
    await reportCalls([0, 2_500], [[10, 2]]);
    await fixture.sightings.recordSightings(
      { sightings: [], calls: [{ partnerId, clientId: CLIENT, calledAt: [at(1_000)], limits: [] }] },
      gateway,
    );
    expect(await settle()).toEqual([]);
    expect(await rowsOf('certification_limits')).toEqual([]);
    await reportCalls([6_000], [[3_000, 2]]);
    expect(await settle()).toEqual([LIMIT_RESPECTED]);
  });

  it('when another credential of the partner calls meanwhile, then that breaks nothing', async () => {
    await reportCalls([2_500], [[10, 2]]);
    const calls = [{ partnerId, clientId: 'pk_sandbox_2', calledAt: [at(1_000)], limits: [] }];
    await fixture.sightings.recordSightings({ sightings: [], calls }, gateway);
    expect(await settle()).toEqual([LIMIT_RESPECTED]);
  });

  it('when its end was just now, then it is decided later, for gateways may be late', async () => {
    const now = Date.now() - START;
    await reportCalls([now], [[now - 1_500, 1]]);
    expect(await settle()).toEqual([]);
    expect(await rowsOf('certification_limits')).toHaveLength(1);
  });
});

describe('a certification (spec §17.6)', () => {
  it('when the last step is shown, then the partner is certified, once, and stays so', async () => {
    await report(...allBut());
    expect((await read()).certifiedAt).toBeUndefined();
    await respectLimit();
    const { certifiedAt } = await read();
    expect(certifiedAt).toBeInstanceOf(Date);
    await report(...allBut());
    expect((await read()).certifiedAt).toEqual(certifiedAt);
  });

  it('when two gateways report the last two steps at the same time, then the partner is certified', async () => {
    await respectLimit();
    await report(...allBut(TOPUP_ORDER, STATEMENT_READ));
    const { pool } = fixture.database;
    const holder = await pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM certifications WHERE partner_id = $1 FOR UPDATE', [partnerId]);
    const lastTwo = Promise.all([
      report(sighting(TOPUP_ORDER, WHOLE, 1)),
      other.sightings.recordSightings(
        { sightings: [sighting(STATEMENT_READ, WHOLE, 2)], calls: [] },
        gateway,
      ),
    ]);
    // Each has written its step by then, and neither sees the other's.
    const waiting = `SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await eventually(async () => expect((await pool.query(waiting)).rows).toEqual([{ n: 2 }])).finally(
      async () => {
        await holder.query('COMMIT');
        holder.release();
        await lastTwo;
      },
    );
    expect((await read()).certifiedAt).toBeInstanceOf(Date);
  });

  it('when an operator says that it sells less, then the rest certifies it, audited once', async () => {
    await report(...allBut(SCENT_ORDER, ESIM_ORDER));
    await respectLimit();
    const request = { partnerId, products: [CertifiedProduct.TOPUP] };
    await fixture.certificationOperations.setCertifiedProducts(request, byOperator);
    await fixture.certificationOperations.setCertifiedProducts(request, byOperator);
    expect(await read()).toMatchObject({ products: [CertifiedProduct.TOPUP], certifiedAt: expect.any(Date) });
    expect(await auditActions()).toEqual(['certification.set-products', 'partner.create']);
  });

  it('when an operator waives it, then who, why and what was missing is kept, and a second one changes nothing', async () => {
    await report(...allBut());
    const waive = (reason: string) =>
      fixture.certificationOperations.waiveCertification({ partnerId, reason }, byOperator);
    await waive('Certified on the old platform.');
    await waive('Again.');
    expect(await read()).toMatchObject({
      certifiedAt: expect.any(Date),
      waivedBy: 'Olga',
      waiveReason: 'Certified on the old platform.',
    });
    const [entry] = await auditEntries();
    expect(JSON.parse(entry?.detailsJson ?? '')).toEqual({
      reason: 'Certified on the old platform.',
      missing: ['LimitRespected'],
    });
    expect(await auditActions()).toEqual(['certification.waive', 'partner.create']);
  });
});

describe('live credentials (spec §17.6)', () => {
  it('when they need a certification, then one is refused until there is it, and nothing of the refusal is kept', async () => {
    const strict = await fixture.start(undefined, { LIVE_CREDENTIALS_NEED_CERTIFICATION: true });
    const create = (environment: Environment) =>
      strict.partners.createCredential({ partnerId, environment, ...UNLIMITED }, byOperator);
    await report(...allBut(ESIM_ORDER));
    await expect(create(Environment.LIVE)).rejects.toMatchObject({
      code: 'BUSINESS_CERTIFICATION_REQUIRED',
      details: { missingSteps: ['EsimOrder', 'LimitRespected'] },
    });
    await create(Environment.SANDBOX);
    expect(await rowsOf('credentials')).toHaveLength(1);
    await strict.certificationOperations.waiveCertification({ partnerId, reason: 'Known.' }, byOperator);
    expect((await create(Environment.LIVE)).clientId).toMatch(/^pk_live_/);
  });

  it('when a partner was live before they needed one, then it gets another in place of one that leaked', async () => {
    const strict = await fixture.start(undefined, { LIVE_CREDENTIALS_NEED_CERTIFICATION: true });
    const request = { partnerId, environment: Environment.LIVE, ...UNLIMITED };
    const { clientId } = await fixture.partners.createCredential(request, byOperator);
    await strict.partners.revokeCredential({ clientId }, byOperator);
    expect((await strict.partners.createCredential(request, byOperator)).clientId).toMatch(/^pk_live_/);
  });
});

const auditEntries = async () => {
  const request = { page: { page: 1, pageSize: 100 }, partnerId, fromAt: undefined, toAt: undefined };
  return (await fixture.audit.listAuditEntries(request, byOperator)).entries;
};
const auditActions = async () => (await auditEntries()).map(({ action }) => action);

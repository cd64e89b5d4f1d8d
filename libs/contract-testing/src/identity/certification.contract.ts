import { expect, operatorRpc, partnerService, rpc, service, UNKNOWN } from '../prelude';
import type { Message, World } from '../prelude';
import { auditOf, ofNew, register } from './arrange';

const STEP = 'CERTIFICATION_STEP_';
const WHOLE = 'SIGHTING_KIND_WHOLE';

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));

const sighting = ({ id }: Message, step: string, kind = WHOLE, seconds = 1): Message => ({
  ...{ partner_id: id, step: STEP + step, kind, subject: 'TU-1', at: at(seconds) },
  evidence: { type: 'EVIDENCE_TYPE_ORDER', id: 'TU-1', request_id: `request-${seconds}` },
});

const certificationOf = (world: World, { id }: Message): Promise<Message> =>
  world.get('GetPartnerCertification', { partner_id: id });

const shownBy = async (world: World, partner: Message): Promise<unknown[]> => {
  const { steps } = await certificationOf(world, partner);
  return (steps as Message[]).filter(({ shown_at }) => shown_at).map(({ step }) => step);
};

/** A partner that sells top-ups alone and has shown one. */
async function withTopup(world: World): Promise<Message> {
  const partner = await register(world);
  await world.call('SetCertifiedProducts', { partner_id: partner.id, products: ['CERTIFIED_PRODUCT_TOPUP'] });
  await world.call('RecordSightings', { sightings: [sighting(partner, 'TOPUP_ORDER')] });
  return partner;
}

/** A partner's own certification. */
export const certifications = partnerService('CertificationService', {
  GetCertification: rpc(undefined, {
    'shows every step of a partner that has shown none': async (use) =>
      (await use.partner().get('GetCertification')).steps,
    'in live leaves out the evidence, which names things of the sandbox': async (use) => {
      const id = String((await withTopup(use)).id);
      const seenIn = async (environment: 'sandbox' | 'live') => {
        const caller = { ...use.partner(environment).caller, 'x-partner-id': id, 'x-partner-path': id };
        const { steps } = (await use.call(use.rpc, {}, caller)).certification as { steps: Message[] };
        return steps.find(({ step }) => step === `${STEP}TOPUP_ORDER`);
      };
      return [await seenIn('sandbox'), await seenIn('live')];
    },
  }),
});

const unfit = (patch: Message) => [
  ({ sightings }: Message) => ({ sightings: [{ ...(sightings as Message[])[0], ...patch }] }),
];

const ofSighting = async (world: World) => {
  const partner = await register(world);
  const one = sighting(partner, 'REFUSAL_MET');
  return [world, { sightings: [one] }, { sighted: partner, one }] as const;
};

/** What gateways report. */
export const sightings = service('SightingService', {
  RecordSightings: rpc(ofSighting, {
    'keeps what is shown once, however often it is sent, and says what was shown': async (use, given) => {
      const { sighted, call } = given;
      await call();
      const { shown } = await call({ sightings: [sighting(sighted, 'REFUSAL_MET', WHOLE, 9)] });
      return [sighted.id, shown, (await certificationOf(use, sighted)).steps];
    },
    'shows a step of two halves when it has both, in any order': async (use, { sighted, call }) => {
      const shown: unknown[] = [];
      for (const [half, seconds] of [['SECOND', 2] as const, ['FIRST', 1] as const]) {
        const one = sighting(sighted, 'PENDING_ORDER_FOLLOWED', `SIGHTING_KIND_${half}`, seconds);
        await call({ sightings: [one] });
        shown.push(await shownBy(use, sighted));
      }
      return shown;
    },
    'passes over what is about an unknown partner': {
      sightings: [sighting({ id: UNKNOWN }, 'REFUSAL_MET')],
    },
    'VALIDATION_FAILED: a sighting that does not fit its step': unfit({ kind: 'SIGHTING_KIND_FIRST' }),
    'VALIDATION_FAILED: a step that no sighting shows': unfit({ step: `${STEP}LIMIT_RESPECTED` }),
    'VALIDATION_FAILED: no moment': unfit({ at: undefined }),
    'VALIDATION_FAILED: more than 2,000 of all together': (_, { one, call }) =>
      call({ sightings: Array<Message>(2_001).fill(one) }),
  }),
});

/** A partner's certification as a decision leaves it, and what was recorded of it. */
async function outcomeOf(use: World, { partner_id: id }: Message): Promise<unknown[]> {
  const { partner_id: _, ...certification } = await certificationOf(use, { id });
  return [certification, (await auditOf(use, { id })).map(({ action }) => action)];
}

/** What operators see and decide of certifications. */
export const certificationOperations = service('CertificationOperationsService', {
  GetPartnerCertification: rpc(ofNew(), {
    'returns it with its evidence': async (use) => {
      const { partner_id: _, ...certification } = await certificationOf(use, await withTopup(use));
      return certification;
    },
  }),
  SetCertifiedProducts: operatorRpc(ofNew({ products: ['CERTIFIED_PRODUCT_ESIM'] }), {
    'wants orders of these products alone; a repetition is not audited': async (use, { who, request }) => {
      await who.twice(use.rpc, request);
      return outcomeOf(use, request);
    },
  }),
  WaiveCertification: operatorRpc(ofNew({ reason: 'Known since 2019.' }), {
    'certifies it with operator and reason; another changes nothing': async (use, { call, request }) => {
      const waived = await call();
      expect(await call({ reason: 'Another.' })).toEqual(waived);
      return outcomeOf(use, request);
    },
    'VALIDATION_FAILED: the reason with a control character': { reason: 'a\u0007b' },
  }),
});

import { expect } from '@jest/globals';
import { operatorRpc, partnerService, rpc, service, type Message, type Sentences } from '../contract';
import type { World } from '../world';
import { auditOf, register } from './arrange';

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
      const stepIn = async (environment: 'sandbox' | 'live') => {
        const caller = { ...use.partner(environment).caller, 'x-partner-id': id, 'x-partner-path': id };
        const { steps } = (await use.call(use.rpc, {}, caller)).certification as { steps: Message[] };
        return steps.find(({ step }) => step === `${STEP}TOPUP_ORDER`);
      };
      expect(await stepIn('sandbox')).toHaveProperty('evidence');
      const live = await stepIn('live');
      expect(live).toHaveProperty('shown_at');
      expect(live?.evidence).toBeNull();
    },
  }),
});

const unfit =
  (patch: Message): Sentences[string] =>
  async (use, { call }) =>
    call({ sightings: [{ ...sighting(await register(use), 'REFUSAL_MET'), ...patch }] });

/** What gateways report. */
export const sightings = service('SightingService', {
  RecordSightings: rpc(
    async (world) => [world, { sightings: [sighting(await register(world), 'REFUSAL_MET')] }],
    {
      'keeps what is shown once, however often it is sent, and says what a partner has shown': async (
        use,
      ) => {
        const partner = await register(use);
        const request = { sightings: [sighting(partner, 'REFUSAL_MET')] };
        await use.call(use.rpc, request);
        const again = { sightings: [sighting(partner, 'REFUSAL_MET', WHOLE, 9)] };
        const { shown } = await use.call(use.rpc, again);
        expect(shown).toEqual([{ partner_id: partner.id, steps: [`${STEP}REFUSAL_MET`] }]);
        return (await certificationOf(use, partner)).steps;
      },
      'shows a step of two halves when it has both, whichever is sent first': async (use) => {
        const partner = await register(use);
        const half = (kind: string, seconds: number) =>
          use.call(use.rpc, {
            sightings: [sighting(partner, 'PENDING_ORDER_FOLLOWED', `SIGHTING_KIND_${kind}`, seconds)],
          });
        await half('SECOND', 2);
        expect(await shownBy(use, partner)).toEqual([]);
        await half('FIRST', 1);
        expect(await shownBy(use, partner)).toEqual([`${STEP}PENDING_ORDER_FOLLOWED`]);
      },
      'passes over what is about an unknown partner': async (use) => {
        const { id } = use.partner();
        const { shown } = await use.call(use.rpc, { sightings: [sighting({ id }, 'REFUSAL_MET')] });
        expect(shown).toEqual([{ partner_id: id, steps: [] }]);
      },
      'VALIDATION_FAILED: a sighting that does not fit its step': unfit({ kind: 'SIGHTING_KIND_FIRST' }),
      'VALIDATION_FAILED: a step that no sighting shows': unfit({ step: `${STEP}LIMIT_RESPECTED` }),
      'VALIDATION_FAILED: a partner that is no UUID': unfit({ partner_id: 'none' }),
      'VALIDATION_FAILED: no moment': unfit({ at: undefined }),
      'VALIDATION_FAILED: more than 2,000 of all together': async (use, { call }) => {
        const one = sighting(await register(use), 'REFUSAL_MET');
        return call({ sightings: Array<Message>(2_001).fill(one) });
      },
    },
  ),
});

/** What operators see and decide of certifications. */
export const certificationOperations = service('CertificationOperationsService', {
  GetPartnerCertification: rpc(async (world) => [world, { partner_id: (await register(world)).id }], {
    'returns it with its evidence': async (use) => {
      const { partner_id: _, ...certification } = await certificationOf(use, await withTopup(use));
      return certification;
    },
  }),
  SetCertifiedProducts: operatorRpc(
    async (world) => [
      world,
      { partner_id: (await register(world)).id, products: ['CERTIFIED_PRODUCT_ESIM'] },
    ],
    {
      'has the partner show an order of these products alone; what changes nothing is not audited': async (
        use,
        { who, request },
      ) => {
        await who.twice(use.rpc, request);
        const [entry, ...before] = await auditOf(use, { id: request.partner_id });
        expect([entry?.action, before.length]).toEqual(['certification.set-products', 1]);
        const { steps, products } = await certificationOf(use, { id: request.partner_id });
        return [products, steps];
      },
      'VALIDATION_FAILED: a product that is none': { products: ['CERTIFIED_PRODUCT_UNSPECIFIED'] },
    },
  ),
  WaiveCertification: operatorRpc(
    async (world) => [world, { partner_id: (await register(world)).id, reason: 'Known since 2019.' }],
    {
      'certifies the partner with the operator and the reason; another one changes nothing': async (
        use,
        { call, request },
      ) => {
        const waived = await call();
        expect(await call({ reason: 'Another.' })).toEqual(waived);
        const [entry, ...before] = await auditOf(use, { id: request.partner_id });
        expect([entry?.action, before.length]).toEqual(['certification.waive', 1]);
        const { waived_by, waive_reason, certified_at } = await certificationOf(use, {
          id: request.partner_id,
        });
        expect(certified_at).toBeDefined();
        return { waived_by, waive_reason };
      },
      'VALIDATION_FAILED: the reason with a control character': { reason: 'a\u0007b' },
    },
  ),
});

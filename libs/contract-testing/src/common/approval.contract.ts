import { expect } from '@jest/globals';
import { operatorRpc, rpc, service, UNREACHABLE, type Message, type ServiceContract } from '../contract';
import type { World } from '../world';

const OMAR = { 'x-operator': 'Omar' };
const statusIs = (status: string) => ({ status: `APPROVAL_STATUS_${status}` });

/** How the approvals of an app come about. */
export interface ApprovalMaker {
  /** Requests, as this operator, a movement that needs a second one; returns the approval's id. */
  readonly request: (world: World, caller: Record<string, string>) => Promise<string>;
  /** One that may be approved no more, for its movement does not fit; the code it is refused with. */
  readonly unfit: readonly [code: string, request: ApprovalMaker['request']];
}

/** The approvals of an app, as each that moves money by operators' word serves them; without a maker there are none. */
export function approvals(maker: ApprovalMaker | undefined): ServiceContract {
  return maker ? approvalsMadeBy(maker) : service('ApprovalService', WITHOUT_ANY);
}

/** Where no call of the contract makes one. */
const WITHOUT_ANY = {
  ListApprovals: rpc(undefined, {
    'lists none where none was made': async (use) =>
      expect(await use.list(use.rpc, { limit: 100 })).toEqual([]),
  }),
  GetApproval: rpc((world) => [world], { 'shows what waits; needs an order in live': UNREACHABLE }),
  ApproveApproval: operatorRpc((world) => [world], {
    'reverses the order; needs one in live': UNREACHABLE,
    'FORBIDDEN_OWN_APPROVAL: needs an order in live': UNREACHABLE,
    'CONFLICT_APPROVAL_DECIDED: needs an order in live': UNREACHABLE,
    'BUSINESS_INSUFFICIENT_BALANCE: a reversal takes nothing': UNREACHABLE,
    'CONFLICT_ORDER_STATE: needs an order in live': UNREACHABLE,
  }),
  RejectApproval: operatorRpc((world) => [world], {
    'ends it without the reversal; needs an order in live': UNREACHABLE,
    'FORBIDDEN_OWN_APPROVAL: needs an order in live': UNREACHABLE,
    'CONFLICT_APPROVAL_DECIDED: needs an order in live': UNREACHABLE,
  }),
} satisfies ServiceContract['rpcs'];

function approvalsMadeBy({ request, unfit: [code, requestUnfit] }: ApprovalMaker): ServiceContract {
  const one = async (world: World) => [world, { approval_id: await request(world, OMAR) }] as const;
  const read = async (world: World, id: unknown): Promise<Message> =>
    world.get('GetApproval', { approval_id: id });
  const ofOlga = async (use: World & { rpc: string }) =>
    use.call(use.rpc, { approval_id: await request(use, { 'x-operator': 'Olga' }) });
  return service('ApprovalService', {
    ListApprovals: rpc(undefined, {
      'lists newest first and keeps to a status': async (use) => {
        const ids = [await request(use, OMAR), await request(use, OMAR)];
        const newest = await use.list(use.rpc, { limit: 2 });
        expect(newest.map(({ id }) => id)).toEqual([...ids].reverse());
        expect(await use.list(use.rpc, { ...statusIs('PENDING'), offset: 1, limit: 1 })).toEqual([newest[1]]);
        expect(await use.list(use.rpc, { ...statusIs('LAPSED'), limit: 100 })).toEqual([]);
      },
    }),
    GetApproval: rpc(one, {
      'shows what waits, who requested it and until when': async (_, { call }) => {
        const { approval } = await call();
        expect(approval).toMatchObject({ ...statusIs('PENDING'), requested_by: 'Omar' });
      },
    }),
    ApproveApproval: operatorRpc(one, {
      'makes the movement, and says who approved it': async (_, { call }) => {
        const { approval } = await call();
        expect(approval).toMatchObject({ ...statusIs('APPROVED'), decided_by: 'Olga' });
      },
      'FORBIDDEN_OWN_APPROVAL: who requested it': ofOlga,
      'CONFLICT_APPROVAL_DECIDED: one that is approved': [{}, {}],
      'CONFLICT_APPROVAL_DECIDED: one that was rejected': ['RejectApproval', {}],
      [`${code}: one that does not fit any more, and stays as it is`]: async (use) => {
        const approval_id = await requestUnfit(use, OMAR);
        const refused = await use.call(use.rpc, { approval_id }).catch((error: unknown) => error);
        expect(await read(use, approval_id)).toMatchObject(statusIs('PENDING'));
        throw refused;
      },
      'CONFLICT_ORDER_STATE: no wallet has such a state': UNREACHABLE,
    }),
    RejectApproval: operatorRpc(one, {
      'ends it without the movement, and says who rejected it': async (_, { call }) => {
        const { approval } = await call();
        expect(approval).toMatchObject({ ...statusIs('REJECTED'), decided_by: 'Olga' });
      },
      'FORBIDDEN_OWN_APPROVAL: who requested it': ofOlga,
      'CONFLICT_APPROVAL_DECIDED: one that is approved': ['ApproveApproval', {}],
      'CONFLICT_APPROVAL_DECIDED: one that was rejected': [{}, {}],
    }),
  });
}

import { expect, lists, operatorNamed, operatorRpc, replies, rpc, service, UNREACHABLE } from '../prelude';
import type { Case, Sentences, ServiceContract, Use, World } from '../prelude';

// By his name alone, as a caller may.
const OMAR = { 'x-operator': 'Omar' };
const statusIs = (status: string) => ({ status: `APPROVAL_STATUS_${status}` });

/** How the approvals of an app come about. */
export interface ApprovalMaker {
  /** Requests, as this operator, a movement that needs a second one; returns the approval's id. */
  readonly request: (world: World, caller: Record<string, string>) => Promise<string>;
  /** One that may be approved no more, for its movement does not fit; the code it is refused with. */
  readonly unfit: readonly [code: string, request: ApprovalMaker['request']];
}

/** The approvals of an app that moves money by operators' word; without a maker, no call of its contract can bring one about. */
export function approvals(maker: ApprovalMaker | undefined): ServiceContract {
  const request: ApprovalMaker['request'] = (world, caller) =>
    maker ? maker.request(world, caller) : Promise.resolve('none');
  const [code, requestUnfit] = maker?.unfit ?? ['BUSINESS_INSUFFICIENT_BALANCE', request];
  const one = async (world: World) => [world, { approval_id: await request(world, OMAR) }] as const;
  const reached = (sentences: Sentences): Sentences =>
    maker ? sentences : Object.fromEntries(Object.keys(sentences).map((one) => [one, UNREACHABLE]));
  const becomes = (status: string): Case =>
    replies({ approval: { ...statusIs(status), decided_by: 'Olga' } });
  const decided: Sentences = {
    'FORBIDDEN_OWN_APPROVAL: who requested it': async (use: Use) =>
      use.call(use.rpc, { approval_id: await request(use, operatorNamed('Olga')) }),
    'CONFLICT_APPROVAL_DECIDED: one that is approved': ['ApproveApproval', {}],
    'CONFLICT_APPROVAL_DECIDED: one that was rejected': ['RejectApproval', {}],
  };
  const listsNone: Case = async (use) => expect(await use.list(use.rpc, { limit: 100 })).toEqual([]);
  return service('ApprovalService', {
    ListApprovals: maker
      ? lists(async (world) => {
          const ids = [await request(world, OMAR), await request(world, OMAR)];
          return [world, ids.map((id) => ({ id }))];
        })
      : rpc(undefined, { 'lists none where none was made': listsNone }),
    GetApproval: rpc(
      one,
      reached({
        'shows what waits, who requested it and until when': replies({
          approval: { ...statusIs('PENDING'), requested_by: 'Omar' },
        }),
      }),
    ),
    ApproveApproval: operatorRpc(
      one,
      reached({
        'makes the movement, and says who approved it': becomes('APPROVED'),
        ...decided,
        [`${code}: one that does not fit any more, and stays as it is`]: async (use) => {
          const approval_id = await requestUnfit(use, OMAR);
          const refused = await use.call(use.rpc, { approval_id }).catch((error: unknown) => error);
          expect(await use.get('GetApproval', { approval_id })).toMatchObject(statusIs('PENDING'));
          throw refused;
        },
        'CONFLICT_ORDER_STATE: no wallet has such a state': UNREACHABLE,
      }),
    ),
    RejectApproval: operatorRpc(
      one,
      reached({ 'ends it without the movement, and says who rejected it': becomes('REJECTED'), ...decided }),
    ),
  });
}

import { expect } from '@jest/globals';
import { partnerService, rpc, UNREACHABLE, type Message } from '../contract';
import type { Party } from '../party';
import { refusalOf } from '../refusal';
import type { World } from '../world';
import { buyer, place } from './arrange';

const HEADER = 'status,externalReference,amount';

/** A request to compare these rows with the top-ups of this hour. */
const record = (...rows: string[]): Message => ({
  product_type: 'PRODUCT_TYPE_TOPUP',
  from_at: new Date(Date.now() - 3_600_000),
  to_at: new Date(Date.now() + 3_600_000),
  file_part: Buffer.from([HEADER, ...rows].join('\r\n')).toString('base64'),
});

/** A partner whose record differs from ours in each way. */
async function differing(world: World) {
  const partner = buyer(world);
  const [same, other] = [await place(partner), await place(partner)];
  await place(partner);
  await place(partner, 'Esim');
  const rows = [
    `Completed,${same.external_reference},10`,
    `Failed,${other.external_reference},9.5`,
    ',unknown,1.00',
  ];
  return { partner, other, request: record(...rows) };
}

const reconciled = async (partner: Party, request: Message = record('Completed,unknown,1.00')) => {
  const { reconciliation_id } = await partner.get('ReconcileOrders', request);
  return [partner, { reconciliation_id }] as const;
};

/** A partner's own record beside ours (spec §17.4). */
export const partnerReconciliations = partnerService('PartnerReconciliationService', {
  ReconcileOrders: rpc((world) => [buyer(world), record()], {
    'counts rows, those that match, and the differences of each kind': async (use) => {
      const { partner, request } = await differing(use);
      const {
        reconciliation_id: _,
        from_at: _from,
        to_at: _to,
        ...counted
      } = await partner.get(use.rpc, request);
      return counted;
    },
    'VALIDATION_FAILED: a time that ends before it begins': { to_at: new Date(0) },
    'VALIDATION_FAILED: no file': { file_part: '' },
    'VALIDATION_FAILED: a row that is at fault, which the path names': async (use, { call }) => {
      const { details } = await refusalOf(call(record('Completed,a,1', 'Completed,b,one')));
      expect(details.errors).toEqual([{ path: 'rows.2.amount', message: expect.any(String) }]);
      return call(record('Completed,a,1', 'Completed,a,1'));
    },
    'SERVICE_UNAVAILABLE: a file that is shorter than was said': { file_bytes: '1000' },
    'BUSINESS_RESOURCE_LIMIT: the 1,001st of thirty days': UNREACHABLE,
  }),
  GetPartnerReconciliation: rpc((world) => reconciled(buyer(world)), {
    'returns what ReconcileOrders did': async (use) => {
      const { partner, request } = await differing(use);
      const made = await partner.get('ReconcileOrders', request);
      const { reconciliation_id } = made;
      expect(await partner.get(use.rpc, { reconciliation_id })).toEqual(made);
    },
  }),
  ListReconciliationDifferences: rpc((world) => reconciled(buyer(world)), {
    'lists them by kind, then by reference, page by page': async (use) => {
      const { partner, request, other } = await differing(use);
      const [, named] = await reconciled(partner, request);
      const listed = await partner.pages(use.rpc, named);
      expect(listed.map(({ kind }) => String(kind).replace('RECONCILIATION_DIFFERENCE_KIND_', ''))).toEqual([
        ...['MISSING_HERE', 'MISSING_THERE', 'AMOUNT_DIFFERS', 'STATUS_DIFFERS'],
      ]);
      expect(listed[2]).toMatchObject({
        external_reference: other.external_reference,
        row: 2,
        their_amount: '9.50',
        our_amount: '10.00',
        their_status: 'Failed',
        our_status: 'Completed',
        order_global_id: other.order_global_id,
      });
    },
    'keeps to a kind': async (use) => {
      const { partner, request } = await differing(use);
      const [, named] = await reconciled(partner, request);
      const kind = 'RECONCILIATION_DIFFERENCE_KIND_MISSING_THERE';
      expect(await partner.list(use.rpc, { ...named, kind })).toMatchObject([{ kind }]);
    },
  }),
});

import { expect, partnerService, reads, refusalOf, rpc, UNREACHABLE } from '../prelude';
import type { Message, World } from '../prelude';
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

/** The comparison of such a record. */
const ofDiffering = async (world: World) => {
  const { partner, request, other } = await differing(world);
  const made = await partner.get('ReconcileOrders', request);
  return [partner, { reconciliation_id: made.reconciliation_id }, { other }] as const;
};

/** A partner's own record beside ours (spec §17.4). */
export const partnerReconciliations = partnerService('PartnerReconciliationService', {
  ReconcileOrders: rpc((world) => [buyer(world), record()], {
    'counts rows, those that match, and the differences of each kind': async (use) => {
      const { partner, request } = await differing(use);
      const { from_at: _, to_at: __, ...counted } = await partner.get(use.rpc, request);
      return counted;
    },
    'VALIDATION_FAILED: no file': { file_part: '' },
    'VALIDATION_FAILED: a row that is at fault, which the path names': async (use, { call }) => {
      const { details } = await refusalOf(call(record('Completed,a,1', 'Completed,b,one')));
      expect(details.errors).toEqual([{ path: 'rows.2.amount', message: expect.any(String) }]);
      return call(record('Completed,a,1', 'Completed,a,1'));
    },
    'SERVICE_UNAVAILABLE: a file that is shorter than was said': { file_bytes: '1000' },
    'BUSINESS_RESOURCE_LIMIT: the 1,001st of thirty days': UNREACHABLE,
  }),
  GetPartnerReconciliation: reads(async (world) => {
    const { partner, request } = await differing(world);
    return [partner, await partner.get('ReconcileOrders', request)];
  }),
  ListReconciliationDifferences: rpc(ofDiffering, {
    'lists them by kind, then by reference, page by page': async ({ rpc }, { partner, request, other }) => {
      const listed = await partner.pages(rpc, request);
      const { external_reference, order_global_id } = other;
      expect(listed[2]).toMatchObject({ external_reference, order_global_id });
      return listed.map(({ external_reference: _, ...difference }) => difference);
    },
    'keeps to a kind': async ({ rpc }, { partner, request }) => {
      const kind = 'RECONCILIATION_DIFFERENCE_KIND_MISSING_THERE';
      expect(await partner.list(rpc, { ...request, kind })).toMatchObject([{ kind }]);
    },
  }),
});

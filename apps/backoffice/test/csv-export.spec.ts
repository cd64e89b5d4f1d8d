import { describe, expect, it } from '@jest/globals';
import { OrderOperationsServiceService, WalletServiceService } from '@reseller/contracts';
import { v4 as newId } from 'uuid';
import { useBackoffice } from './support/backoffice';
import { aSummary, aTransaction } from './support/samples';

const backoffice = useBackoffice();

const ids = new Map<string, string>();
const idOf = (reference: string): string => {
  if (!ids.has(reference)) ids.set(reference, newId());
  return ids.get(reference) ?? '';
};

/** Has orders-saga reply with these references, a page each, on as many pages. */
function servePages(pages: string[][]): void {
  const orders = backoffice.fakes.of('orders-saga').handlers(OrderOperationsServiceService);
  orders.listAllOrders = ({ page }) => ({
    orders: (pages[(page?.page ?? 1) - 1] ?? []).map((externalReference) => ({
      ...aSummary,
      orderId: idOf(externalReference),
      externalReference,
    })),
    page: { page: page?.page ?? 1, pageSize: 100, totalCount: 250, totalPages: pages.length },
  });
}

const listed = () =>
  backoffice.calls
    .filter(({ method }) => method === 'listAllOrders')
    .map(({ request }) => request as { page: object; toAt: Date });
const linesOf = async (response: Response): Promise<string[]> => (await response.text()).split('\r\n');

describe('a list as CSV', () => {
  it('when it has several pages, then all rows come once, by the same filters and up to when it began', async () => {
    servePages([['=a', 'b,c'], ['b,c', 'd'], ['e']]);
    const before = Date.now();
    const response = await backoffice.fetch('/orders/export?status=InterventionRequired&environment=live');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toContain('orders.csv');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const [head = '', ...lines] = bytes.subarray(3).toString().split('\r\n');
    const columns = head.split(',');
    expect(columns.slice(0, 4)).toEqual(['productType', 'orderId', 'orderGlobalId', 'externalReference']);
    expect(
      lines.map((line) => /^Topup,[0-9a-f-]{36},ORD-1,(.*),InterventionRequired,10.5,/.exec(line)?.[1]),
    ).toEqual(["'=a", '"b,c"', 'd', 'e', undefined]);
    expect(listed().map(({ page }) => page)).toMatchObject([
      { page: 1, pageSize: 100 },
      { page: 2, pageSize: 100 },
      { page: 3, pageSize: 100 },
    ]);
    const bounds = listed().map(({ toAt }) => toAt);
    expect(new Set(bounds.map(Number)).size).toBe(1);
    expect(Number(bounds[0])).toBeGreaterThanOrEqual(before);
  });

  it('when a filter is wrong, or a page is named, then it is refused or left out as in the list', async () => {
    const refused = await backoffice.fetch('/orders/export?status=Lost');
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ state: 'VALIDATION_FAILED' });
    servePages([['a']]);
    await linesOf(await backoffice.fetch('/orders/export?page=7'));
    expect(listed().map(({ page }) => page)).toMatchObject([{ page: 1 }]);
  });

  it('when a later page fails, then the connection breaks, so that a part is not taken for the whole', async () => {
    servePages([['a'], ['b']]);
    const orders = backoffice.fakes.of('orders-saga').handlers(OrderOperationsServiceService);
    const serve = orders.listAllOrders;
    orders.listAllOrders = (request, call) => {
      if (request.page?.page === 2) throw new Error('broken');
      return serve?.(request, call) ?? {};
    };
    const response = await backoffice.fetch('/orders/export');
    await expect(response.text()).rejects.toThrow();
  });

  it.each([
    ['partners', 'id,globalId,name,', 'listPartners'],
    ['return-requests?status=Pending', 'id,scentOrderId,orderGlobalId,', 'listAllReturnRequests'],
    ['fulfillment-groups?status=Pending', 'id,status,orderGlobalId,', 'listOpenFulfillmentGroups'],
    ['approvals?status=Lapsed', 'id,status,action,', 'listApprovals'],
  ])('when %s are saved, then the file has the columns of the list', async (list, columns, rpc) => {
    const [name = '', filters = ''] = list.split('?');
    const response = await backoffice.fetch(`/${name}/export?${filters}`);
    expect(response.headers.get('content-disposition')).toContain(`${name}.csv`);
    expect(await response.text()).toContain(columns);
    expect(backoffice.rpcs()).toContain(rpc);
  });

  it('when a ledger is saved, then its reading is audited once, whatever its length', async () => {
    const partnerId = backoffice.newPartner();
    const finance = backoffice.fakes.of('finance').handlers(WalletServiceService);
    finance.listWalletTransactions = ({ page }) => ({
      transactions: [{ ...aTransaction, transactionId: String(page?.page) }],
      page: { page: page?.page ?? 1, pageSize: 100, totalCount: 3, totalPages: 3 },
    });
    const path = `/partners/${partnerId}/wallet/transactions/export?environment=live`;
    const lines = await linesOf(await backoffice.fetch(path));
    expect(lines.slice(1, 4).map((line) => line.split(',')[0])).toEqual(['1', '2', '3']);
    expect(backoffice.rpcs().filter((rpc) => rpc === 'recordAuditEntry')).toHaveLength(1);
  });
});

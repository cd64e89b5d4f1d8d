import { fieldsOfExample } from './fields';
import type { Operation } from './operations';

const notes = { notes: 'The vendor confirmed it.' };
const environment = { environment: 'sandbox' };
const movement = { ...environment, amount: 10, notes: 'deposit', idempotencyKey: 'key' };
const period = { periodFrom: '2026-01-01T00:00:00Z', periodTo: '2026-02-01T00:00:00Z' };
const stock = { stockOnHand: 10, expectedStockOnHand: 9 };
const page = 'page,pageSize';

/** [call, parameters of the query, body]: the operators' API has no document of its own. */
const CALLS: readonly (readonly [string, string, Record<string, unknown>?])[] = [
  ['GET /ops/v1/partners', page],
  ['POST /ops/v1/partners', '', { name: 'Contoso', displayCurrency: 'EUR', commissionRate: 0.1 }],
  ['GET /ops/v1/partners/{id}', ''],
  ['PATCH /ops/v1/partners/{id}', '', { name: 'Contoso', displayCurrency: 'EUR', isVatRegistered: true }],
  ['POST /ops/v1/partners/{id}/credentials', '', environment],
  ['DELETE /ops/v1/credentials/{clientId}', ''],
  ['POST /ops/v1/partners/{id}/wallet', '', environment],
  ['POST /ops/v1/partners/{id}/wallet/credit', '', movement],
  ['POST /ops/v1/partners/{id}/wallet/adjust', '', movement],
  ['GET /ops/v1/orders', `${page},status,partnerId,environment,parked`],
  ['GET /ops/v1/orders/{orderGlobalId}/timeline', ''],
  ['POST /ops/v1/orders/{orderGlobalId}/resolve', '', { outcome: 'Completed', ...notes, esimIccid: '1' }],
  ['POST /ops/v1/orders/{orderGlobalId}/cancel', '', notes],
  ['POST /ops/v1/orders/{orderGlobalId}/reverse', '', notes],
  ['POST /ops/v1/fulfillment-groups/{id}/ship', ''],
  ['POST /ops/v1/fulfillment-groups/{id}/deliver', ''],
  ['POST /ops/v1/fulfillment-groups/{id}/cancel', ''],
  ['GET /ops/v1/return-requests', `${page},status`],
  ['POST /ops/v1/return-requests/{id}/approve', ''],
  ['POST /ops/v1/return-requests/{id}/decline', '', { reason: 'The bottle was opened.' }],
  ['GET /ops/v1/webhook-deliveries', `${page},status`],
  ['POST /ops/v1/webhook-deliveries/{id}/redeliver', ''],
  ['GET /ops/v1/dead-letters', `${page},service,state,reason`],
  ['GET /ops/v1/dead-letters/{service}/{id}', ''],
  ['POST /ops/v1/dead-letters/{service}/{id}/redrive', ''],
  ['POST /ops/v1/dead-letters/{service}/{id}/dismiss', '', notes],
  ['POST /ops/v1/dead-letters/redrive', '', { service: 'notifier', reason: 'Undecodable' }],
  ['PUT /ops/v1/rates/{currency}', '', { rate: 0.25 }],
  ['GET /ops/v1/variants', `${page},brandId,scentId,availability,isActive,search`],
  ['GET /ops/v1/variants/{id}', ''],
  [
    'PATCH /ops/v1/variants/{id}',
    '',
    { ...environment, ...stock, listPrice: 99, cost: 10, rrp: 120, isActive: true },
  ],
  ['POST /ops/v1/variants/{id}/stock', '', { ...environment, delta: 1 }],
  ['PUT /ops/v1/variants/{id}/partner-prices/{partnerId}', '', { listPrice: 50 }],
  ['GET /ops/v1/brands', page],
  ['PATCH /ops/v1/brands/{id}', '', { commissionRate: 0.1 }],
  ['POST /ops/v1/statements', '', { partnerId: 'id', ...environment, ...period }],
  ['GET /ops/v1/reconciliation', `${page},service,check,open`],
  ['POST /ops/v1/reconciliation/run', ''],
  ['GET /ops/v1/audit', `${page},partnerId,from,to`],
];

/** Every call of the operators' API. */
export const BACKOFFICE_OPERATIONS: readonly Operation[] = CALLS.map(([call, query, example]) => {
  const [method, path] = call.split(' ') as [string, string];
  return {
    edge: 'backoffice',
    method,
    path,
    isAnonymous: false,
    params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
    query: query === '' ? [] : query.split(','),
    example,
    fields: example ? fieldsOfExample(example) : [],
  };
});

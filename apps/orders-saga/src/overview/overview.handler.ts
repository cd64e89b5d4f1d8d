import type {
  CreateResults,
  CreateResultsServiceService,
  OrderOperationsServiceService,
  OrderSeries,
  RecordCreatesRequest,
} from '@reseller/contracts';
import { validationFailed } from '@reseller/errors';
import { environmentNameOf, isUuid, type RpcHandlers } from '@reseller/rpc';
import { toStatus } from '../order/order.mapper';
import { productOf } from '../products';
import type { CreateResultsRepository } from './create-results.repository';
import type { VendorDirectory } from '../clients/vendors/vendor-directory';
import type { OverviewRepository, SeriesRow } from './overview.repository';

/** What taking in the results of creates works with. */
export interface CreateResultsDeps {
  createResults: CreateResultsRepository;
}

/** What creates came to, as gateways report it. */
export function createCreateResultsHandlers({
  createResults,
}: CreateResultsDeps): RpcHandlers<typeof CreateResultsServiceService> {
  return {
    async recordCreates(request) {
      requireWellFormed(request);
      await createResults.record(request.gatewayId, request.batches);
      return {};
    },
  };
}

/** What an overview is read from. */
export interface OverviewDeps {
  overview: OverviewRepository;
  vendors: VendorDirectory;
}

/** An environment at a glance. */
export function createOverviewHandlers({
  overview,
  vendors,
}: OverviewDeps): Pick<RpcHandlers<typeof OrderOperationsServiceService>, 'getOrderOverview'> {
  return {
    async getOrderOverview({ environment: requested, fromAt, toAt }) {
      const environment = environmentNameOf(requested);
      if (!environment) throw validationFailed([{ path: 'environment', message: 'must be sandbox or live' }]);
      if (!fromAt || !toAt || fromAt >= toAt)
        throw validationFailed([{ path: 'to', message: 'must be later than from' }]);
      const [rows, creates, waiting, calls] = await overview.read(
        { environment, fromAt, toAt },
        vendors.namesIn(environment),
      );
      return {
        series: rows.map(toSeries),
        refusals: [...creates.refusals],
        created: creates.created,
        p50Ms: creates.p50Ms ?? undefined,
        p99Ms: creates.p99Ms ?? undefined,
        ...waiting,
        vendors: calls.map(({ p50Ms, p99Ms, ...same }) => ({
          ...same,
          p50Ms: p50Ms ?? undefined,
          p99Ms: p99Ms ?? undefined,
        })),
      };
    },
  };
}

const toSeries = ({ product, status, ...same }: SeriesRow): OrderSeries => ({
  ...same,
  productType: productOf(product).type,
  status: toStatus(status),
});

function requireWellFormed({ gatewayId, batches }: RecordCreatesRequest): void {
  if (!isUuid(gatewayId)) throw validationFailed([{ path: 'gatewayId', message: 'must be a UUID' }]);
  const isWhole = batches.every(({ startedAt, results }) => startedAt && results.every(isWellFormed));
  if (!isWhole) throw validationFailed([{ path: 'batches', message: 'must be whole' }]);
}

function isWellFormed({ environment, code, offsetsMs, durationsMs }: CreateResults): boolean {
  if (!environmentNameOf(environment) || offsetsMs.length === 0) return false;
  if (offsetsMs.some((ms) => ms < 0 || ms > 60_000)) return false;
  return durationsMs.length === (code === '' ? offsetsMs.length : 0);
}

import { Counter, Histogram, type Registry } from 'prom-client';

const SERVED = 'rpc_server_duration_seconds';
const CLIENT_DURATION = 'rpc_client_duration_seconds';
const AGAIN = 'rpc_client_retries_total';
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The histogram of served calls; `service` is left to the registry's default label, the process. */
export type RpcHistogram = Histogram<'rpc_service' | 'method' | 'code'>;

/** The histogram of calls made; `peer` is the dependency that responds. */
type RpcClientHistogram = Histogram<'peer' | 'rpc_service' | 'method' | 'code'>;

/** The registry's histogram of served calls, made on first use; several servers may share one registry. */
export function rpcHistogram(registry: Registry): RpcHistogram {
  const existing = registry.getSingleMetric(SERVED);
  if (existing) return existing as RpcHistogram;
  return new Histogram({
    name: SERVED,
    help: 'Seconds from receiving an RPC to its response, by catalogue code (OK for success). Sum over instances.',
    labelNames: ['rpc_service', 'method', 'code'],
    buckets: BUCKETS,
    registers: [registry],
  });
}

/** The registry's histogram of calls made, made on first use; all clients of a process share it. */
export function rpcClientHistogram(registry: Registry): RpcClientHistogram {
  const existing = registry.getSingleMetric(CLIENT_DURATION);
  if (existing) return existing as RpcClientHistogram;
  return new Histogram({
    name: CLIENT_DURATION,
    help: 'Seconds from a call to its response or the deadline, by catalogue code (OK for success). Sum over instances.',
    labelNames: ['peer', 'rpc_service', 'method', 'code'],
    buckets: BUCKETS,
    registers: [registry],
  });
}

/** The registry's counter of lost calls that could be sent again: whether they were, or the budget was spent. */
export function rpcRetryCounter(registry: Registry): Counter<'peer' | 'rpc_service' | 'method' | 'outcome'> {
  const existing = registry.getSingleMetric(AGAIN);
  if (existing) return existing as Counter;
  return new Counter({
    name: AGAIN,
    help: 'Calls to a dependency that were lost and sent again, or were not because too many were lost. Sum over instances.',
    labelNames: ['peer', 'rpc_service', 'method', 'outcome'],
    registers: [registry],
  });
}

import { Histogram, type Registry } from 'prom-client';

const NAME = 'rpc_server_duration_seconds';

/** The histogram of served calls; `service` is left to the registry's default label, the process. */
export type RpcHistogram = Histogram<'rpc_service' | 'method' | 'code'>;

/** The registry's histogram of served calls, made on first use; several servers may share one registry. */
export function rpcHistogram(registry: Registry): RpcHistogram {
  const existing = registry.getSingleMetric(NAME);
  if (existing) return existing as RpcHistogram;
  return new Histogram({
    name: NAME,
    help: 'Seconds from receiving an RPC to its answer, by catalogue code (OK for success).',
    labelNames: ['rpc_service', 'method', 'code'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
}

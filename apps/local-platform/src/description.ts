import type { Instance } from './instances';
import { localOperators } from './operators/operators';
import type { InstanceDescription, PlatformDescription, ProcessName } from './platform-file';
import { consoleUrl } from './pooler/pooler';
import { appUrl, isProduction } from './service-environment';
import type { LocalWiring } from './wiring';

/** What is known of a platform only once it runs. */
export interface Started extends Pick<PlatformDescription, 'gatewayUrl' | 'backofficeUrl' | 'partners'> {
  readonly operatorToken: string;
  readonly pids: ReadonlyMap<string, number>;
  /** Whether this machine's own identity provider runs. */
  readonly hasProvider: boolean;
}

/** What platform.json says of a platform that runs (spec §13.3). */
export function describePlatform(wiring: LocalWiring, started: Started): PlatformDescription {
  const { gatewayUrl, backofficeUrl, operatorToken, partners } = started;
  const { 'vendor-simulator': _vendor, 'event-bus': _bus, ...urls } = wiring.databaseUrls;
  const databases = Object.fromEntries(
    Object.entries(urls).map(([service, { admin }]) => [service, admin]),
  ) as PlatformDescription['databases'];
  const pids = Object.fromEntries(started.pids) as Record<ProcessName, number>;
  const instances = describeInstances(wiring, started.pids);
  const { oidcIssuer, pooler } = wiring;
  return {
    gatewayUrl,
    backofficeUrl,
    ...(!isProduction() && { operatorToken }),
    ...(oidcIssuer && { oidcIssuer }),
    ...(pooler && { poolerUrl: consoleUrl(pooler, wiring.databaseServer) }),
    ...(started.hasProvider && {
      operators: localOperators(wiring.secrets.operatorPasswordKey).map(({ name: _name, ...one }) => one),
    }),
    ...{ pids, databases, partners, instances },
  };
}

function describeInstances(
  wiring: LocalWiring,
  pids: ReadonlyMap<string, number>,
): PlatformDescription['instances'] {
  const describe = (one: Instance): InstanceDescription => ({
    name: one.name,
    pid: pids.get(one.name) ?? 0,
    healthUrl: `http://127.0.0.1:${one.httpPort}`,
    ...(one.appPort !== undefined ? { url: appUrl(one) } : { grpcAddress: `127.0.0.1:${one.grpcPort}` }),
  });
  const entries = Object.entries(wiring.instances).map(([service, all]) => [service, all.map(describe)]);
  return Object.fromEntries(entries) as PlatformDescription['instances'];
}

import type { DataDirectory } from './data-directory';
import { readDetours } from './detours';
import { planInstances, portsNeeded } from './instances';
import { issuerOf } from './operators/operators';
import { readPooler } from './pooler/pooler';
import { chooseFreePorts, requireFreePort } from './ports';
import { databaseUrls, localServer } from './postgres/databases';
import { makeCertificates } from './rpc-certificates';
import { readSecrets } from './secrets';
import { isProduction, type Wiring } from './service-environment';
import { serviceNames } from './services';
import type { PlatformSettings } from './settings';

/** What runs where in a start on this machine. */
export interface LocalWiring extends Wiring {
  /** Of the server that runs here; undefined where another one is used. */
  postgresPort: number | undefined;
  /** The administrator's address of the server. */
  databaseServer: string;
  /** Of this machine's own identity provider; undefined where another one is used, or none. */
  providerPort: number | undefined;
}

/** Gives every process of a start its ports, databases, secrets and certificates; throws StartRefused where a port is taken. */
export async function wirePlatform(settings: PlatformSettings, data: DataDirectory): Promise<LocalWiring> {
  const { gatewayPort, backofficePort, instances } = settings;
  for (let next = 0; next < instances; next += 1) {
    if (gatewayPort > 0 || next === 0)
      await requireFreePort(gatewayPort && gatewayPort + next, 'GATEWAY_PORT');
    if (backofficePort > 0 || next === 0)
      await requireFreePort(backofficePort && backofficePort + next, 'BACKOFFICE_PORT');
  }
  const secrets = readSecrets(data.secretsFile);
  const free = await chooseFreePorts(portsNeeded(instances) + 3);
  const take = (): number => free.pop() ?? 0;
  const detours = readDetours();
  const givenServer = process.env['POSTGRES_ADMIN_URL'] || undefined;
  const postgresPort = givenServer ? undefined : (detours.listen['postgres'] ?? take());
  const databaseServer = givenServer ?? localServer(postgresPort ?? 0, secrets);
  const given = process.env['OIDC_ISSUER'] || undefined;
  const providerPort = given || isProduction() ? undefined : take();
  const tlsDirectory = settings.tls ? data.rpcTls : undefined;
  if (tlsDirectory) await makeCertificates(tlsDirectory, serviceNames);
  return {
    postgresPort,
    databaseServer,
    providerPort,
    oidcIssuer: given ?? (providerPort === undefined ? undefined : issuerOf(providerPort)),
    detours,
    instances: planInstances(instances, { take, gatewayPort, backofficePort, listen: detours.listen }),
    databaseUrls: databaseUrls(databaseServer, secrets),
    pooler: readPooler(take),
    replicaServer: process.env['POSTGRES_REPLICA_URL'] || undefined,
    secrets,
    tlsDirectory,
  };
}

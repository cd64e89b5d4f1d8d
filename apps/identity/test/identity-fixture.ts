import {
  AuditServiceService,
  CertificationOperationsServiceService,
  CertificationServiceService,
  OperatorServiceService,
  PartnerServiceService,
  SightingServiceService,
  TokenServiceService,
} from '@reseller/contracts';
import { createPrismaAdapter } from '@reseller/database';
import {
  RpcServer,
  closeRpcClients,
  createRpcClients,
  type CallContext,
  type RpcClients,
  type RpcClientTable,
} from '@reseller/rpc';
import { FakeClock, createTestDatabase, silentLog, type TestDatabase } from '@reseller/testing';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Pool } from 'pg';
import { createIdentity, type Identity } from '../src/identity.container';
import { PrismaClient } from '../src/generated/prisma/client';

export const MIGRATIONS = path.join(__dirname, '../prisma/migrations');
export const ISSUER = 'https://identity.test';
export const SESSION_MS = 8 * 3_600_000;
export const ROTATION_MS = 30 * 24 * 3_600_000;

/** The settings of one deployment; all its instances share them. */
export const settings = {
  TOKEN_ISSUER: ISSUER,
  CREDENTIAL_HASH_KEY: [{ id: '0', key: randomBytes(32).toString('hex') }],
  KEY_ENCRYPTION_KEY: [{ id: '0', key: randomBytes(32) }],
  KEY_ROTATION_MS: ROTATION_MS,
  OPERATOR_SESSION_MS: SESSION_MS,
  LIVE_CREDENTIALS_NEED_CERTIFICATION: false,
  LOCAL_OPERATOR_TOKEN: `op_${randomBytes(32).toString('base64url')}`,
};

/** The keys of the settings as an environment holds them. */
export const keysAsText = {
  CREDENTIAL_HASH_KEY: settings.CREDENTIAL_HASH_KEY.map(({ id, key }) => `${id}:${key}`).join(),
  KEY_ENCRYPTION_KEY: settings.KEY_ENCRYPTION_KEY.map(
    ({ id, key }) => `${id}:${key.toString('base64')}`,
  ).join(),
};

/** A credential without an end or networks. */
export const UNLIMITED = { expiresAt: undefined, allowedCidrs: [] };

/** An operator's call. */
export const byOperator: CallContext = {
  requestId: 'req-operator',
  operator: 'Olga',
  operatorAccount: 'https://idp olga',
};
/** A call of the token endpoint. */
export const anonymous: CallContext = { requestId: 'req-token' };

const SERVICES = {
  tokens: [TokenServiceService, 'identity'],
  partners: [PartnerServiceService, 'identity'],
  audit: [AuditServiceService, 'identity'],
  operators: [OperatorServiceService, 'identity'],
  certifications: [CertificationServiceService, 'identity'],
  certificationOperations: [CertificationOperationsServiceService, 'identity'],
  sightings: [SightingServiceService, 'identity'],
} as const satisfies RpcClientTable<'identity'>;

/** One running instance of identity and its clients. */
export interface Instance extends RpcClients<typeof SERVICES> {
  identity: Identity;
  prisma: PrismaClient;
  stop(): Promise<void>;
}

/** What an instance is configured with. */
export type Settings = typeof settings;

/** A database and one instance over it; `start` brings up more of them, each with the clock it is given. */
export interface Fixture extends Instance {
  database: TestDatabase;
  clock: FakeClock;
  start(clock?: FakeClock, config?: Partial<Settings>): Promise<Instance>;
}

/** Starts identity over gRPC on a database of its own. */
export async function startFixture(): Promise<Fixture> {
  const database = await createTestDatabase({ migrations: MIGRATIONS });
  const clock = new FakeClock();
  const instances: Instance[] = [];
  const start = async (ownClock = clock, config: Partial<Settings> = {}): Promise<Instance> => {
    const instance = await serveOver(database.servicePool, ownClock, { ...settings, ...config });
    await instance.identity.rotateKeys();
    instances.push(instance);
    return instance;
  };
  const first = await start();
  const stop = async (): Promise<void> => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await database.drop();
  };
  return { ...first, database, clock, start, stop };
}

/** Serves identity over gRPC on whatever the pool leads to. */
export async function serveOver(pool: Pool, clock: FakeClock, config = settings): Promise<Instance> {
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool) });
  const identity = createIdentity({ config, pool, prisma, clock });
  const server = new RpcServer({ services: identity.rpc, log: silentLog });
  const address = `127.0.0.1:${await server.listen('127.0.0.1', 0)}`;
  server.setServing(true);
  const clients = createRpcClients(SERVICES, { identity: address }, { defaultDeadlineMs: 60_000 });
  const stop = async (): Promise<void> => {
    closeRpcClients(clients);
    await server.drain(1_000);
    await prisma.$disconnect();
  };
  return { identity, prisma, ...clients, stop };
}

/** Registers a partner as an operator would. */
export async function register(fixture: Instance, name: string, parentPartnerId?: string): Promise<string> {
  const { partner } = await fixture.partners.createPartner({ name, parentPartnerId }, byOperator);
  if (!partner) throw new Error('no partner in the response');
  return partner.id;
}

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
import { RpcServer, createRpcClient, type CallContext, type RpcClient } from '@reseller/rpc';
import { FakeClock, createTestDatabase, silentLog, type TestDatabase } from '@reseller/testing';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Pool } from 'pg';
import { createIdentity, type Identity } from '../src/container';
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

/** One running instance of identity and its clients. */
export interface Instance {
  identity: Identity;
  prisma: PrismaClient;
  tokens: RpcClient<typeof TokenServiceService>;
  partners: RpcClient<typeof PartnerServiceService>;
  audit: RpcClient<typeof AuditServiceService>;
  operators: RpcClient<typeof OperatorServiceService>;
  certifications: RpcClient<typeof CertificationServiceService>;
  certificationOperations: RpcClient<typeof CertificationOperationsServiceService>;
  sightings: RpcClient<typeof SightingServiceService>;
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
  const options = { defaultDeadlineMs: 60_000, name: 'identity' };
  const tokens = createRpcClient(TokenServiceService, address, options);
  const partners = createRpcClient(PartnerServiceService, address, options);
  const audit = createRpcClient(AuditServiceService, address, options);
  const operators = createRpcClient(OperatorServiceService, address, options);
  const certifications = createRpcClient(CertificationServiceService, address, options);
  const certificationOperations = createRpcClient(CertificationOperationsServiceService, address, options);
  const sightings = createRpcClient(SightingServiceService, address, options);
  const clients = {
    ...{ tokens, partners, audit, operators },
    ...{ certifications, certificationOperations, sightings },
  };
  const stop = async (): Promise<void> => {
    for (const client of Object.values(clients)) client.close();
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

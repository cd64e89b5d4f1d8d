import {
  answerUnavailable,
  createPool,
  createPrismaAdapter,
  observeBacklogs,
  query,
} from '@reseller/database';
import { createEventBus, eventBusOptions, createOutboxRelay, outboxBacklog } from '@reseller/messaging';
import type { RpcService } from '@reseller/rpc';
import { createJob, type Job, type Logger, type ServiceParts, type StartInput } from '@reseller/service-kit';
import type { Pool } from 'pg';
import type { Registry } from 'prom-client';
import { createAuditService } from './audit/audit.handler';
import { AuditRepository } from './audit/audit.repository';
import { systemClock, type Clock } from './clock';
import type { Config } from './config';
import { ClientSecrets } from './credential/client-secrets';
import { createCredentialHandlers } from './credential/credential.handler';
import { CredentialRepository } from './credential/credential.repository';
import { PrismaClient } from './generated/prisma/client';
import { createPartnerService } from './partner/partner.handler';
import { PartnerRepository } from './partner/partner.repository';
import { KeyRing } from './signing-key/key-ring';
import { KeySeal } from './signing-key/key-seal';
import { rotateSigningKeys, type RotationResult } from './signing-key/rotate-signing-keys';
import { SigningKeyRepository } from './signing-key/signing-key.repository';
import { TokenSigner } from './signing-key/token-signer';
import { createTokenService } from './token/token.handler';
import { TokenRepository } from './token/token.repository';

const ROTATION_CHECK_MS = 60_000;

/** What the container is wired from. */
export interface ContainerInput {
  config: Pick<Config, 'TOKEN_ISSUER' | 'CREDENTIAL_HASH_KEY' | 'KEY_ENCRYPTION_KEY' | 'KEY_ROTATION_MS'>;
  pool: Pool;
  prisma: PrismaClient;
  clock: Clock;
}

/** identity without its process: the services to serve and the rotation to run now and then. */
export interface Container {
  rpc: RpcService[];
  rotate: () => Promise<RotationResult>;
  /** Opens the signing keys; rejects when KEY_ENCRYPTION_KEY is not the one they were sealed with. */
  openKeys: () => Promise<void>;
}

/** Wires the use cases to one database. */
export function createContainer({ config, pool, prisma, clock }: ContainerInput): Container {
  const audit = new AuditRepository();
  const partners = new PartnerRepository(prisma);
  const credentials = new CredentialRepository();
  const signingKeys = new SigningKeyRepository(prisma, pool);
  const secrets = new ClientSecrets(config.CREDENTIAL_HASH_KEY);
  const seal = new KeySeal(config.KEY_ENCRYPTION_KEY);
  const keyRing = new KeyRing(signingKeys, seal, clock);
  const credentialHandlers = createCredentialHandlers({ pool, credentials, secrets, audit });
  return {
    rpc: [
      createTokenService({
        db: pool,
        tokens: new TokenRepository(pool),
        secrets,
        signer: new TokenSigner(keyRing),
        audit,
        clock,
        issuer: config.TOKEN_ISSUER,
        keyRing,
      }),
      createPartnerService({ pool, partners, audit, credentialHandlers }),
      createAuditService({ pool, audit }),
    ].map(answerUnavailable),
    rotate: () => rotateSigningKeys({ signingKeys, seal, clock, rotationMs: config.KEY_ROTATION_MS }),
    openKeys: async () => {
      await keyRing.signingKey();
    },
  };
}

/** Everything the running service consists of; there is a signing key, and it opens, before the first call is taken. */
export async function startIdentity({ config, log, metrics }: StartInput<Config>): Promise<ServiceParts> {
  const { DATABASE_URL: connectionString, DATABASE_POOL_SIZE: max } = config;
  const pool = createPool({ connectionString, max, name: 'identity', log, metrics });
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool) });
  const container = createContainer({ config, pool, prisma, clock: systemClock });
  const disconnect = async (): Promise<void> => {
    await prisma.$disconnect();
    await pool.end();
  };
  try {
    await container.rotate();
    await container.openKeys();
  } catch (error) {
    await disconnect();
    throw error;
  }
  const bus = createEventBus({ ...eventBusOptions(config), clientId: 'identity', log, metrics });
  observeBacklogs({ pool, metrics, log }, [outboxBacklog]);
  return {
    rpc: container.rpc,
    jobs: [createRotationJob(container, log, metrics)],
    consumers: [createOutboxRelay({ pool, bus, log, metrics })],
    ready: {
      database: async () => {
        await query(pool, { name: 'ready', text: 'SELECT 1' });
      },
    },
    close: async () => {
      await bus.close();
      await disconnect();
    },
  };
}

function createRotationJob(container: Container, log: Logger, metrics: Registry): Job {
  return createJob({
    name: 'rotate-signing-keys',
    intervalMs: ROTATION_CHECK_MS,
    run: async () => {
      const { created, forgotten } = await container.rotate();
      if (created !== undefined || forgotten > 0) log.info({ created, forgotten }, 'signing keys rotated');
    },
    log,
    metrics,
  });
}

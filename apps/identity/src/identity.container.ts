import {
  AuditServiceService,
  CertificationOperationsServiceService,
  CertificationServiceService,
  OperatorServiceService,
  PartnerServiceService,
  SightingServiceService,
  TokenServiceService,
} from '@reseller/contracts';
import { mapDatabaseOutage, createPrismaAdapter, readFromReplica, type Replica } from '@reseller/database';
import { defineRpc, type RpcService } from '@reseller/rpc';
import { SecretSeal, type Logger } from '@reseller/service-kit';
import type { Pool } from 'pg';
import type { Registry } from 'prom-client';
import { createAuditHandlers } from './audit/audit.handler';
import { AuditChainRepository } from './audit/audit-chain.repository';
import { AuditRepository } from './audit/audit.repository';
import { publishHead } from './audit/publish-head';
import {
  createCertificationHandlers,
  createCertificationOperationsHandlers,
  createSightingHandlers,
} from './certification/certification.handler';
import { CertificationRepository } from './certification/certification.repository';
import { settleDueLimits } from './certification/settle-limits';
import { type Clock } from './clock';
import type { Config } from './config';
import { ClientSecrets } from './credential/client-secrets';
import { createCredentialHandlers } from './credential/credential.handler';
import { CredentialRepository } from './credential/credential.repository';
import { SignInRepository } from './credential/sign-in.repository';
import { PrismaClient } from './generated/prisma/client';
import { createOperatorHandlers } from './operator/operator.handler';
import { OperatorRepository } from './operator/operator.repository';
import { OperatorSecrets } from './operator/operator-secrets';
import { seedOperatorToken } from './operator/seed-operator-token';
import { createPartnerHandlers } from './partner/partner.handler';
import { PartnerRepository } from './partner/partner.repository';
import { requireHashKeys } from './secret/hash-key-use';
import { KeyedHashes } from './secret/keyed-hashes';
import { KeyRing } from './signing-key/key-ring';
import { resealSigningKeys } from './signing-key/reseal-signing-keys';
import { rotateSigningKeys, type RotationResult } from './signing-key/rotate-signing-keys';
import { SigningKeyRepository } from './signing-key/signing-key.repository';
import { TokenSigner } from './signing-key/token-signer';
import { countExchanges } from './token/count-exchanges';
import { createTokenHandlers } from './token/token.handler';
import { RevocationRepository } from './token/revocation.repository';
import { TokenRepository } from './token/token.repository';
import { createTransact } from './transaction';

/** What identity is wired from, whatever process it is in. */
interface IdentityDeps {
  config: Pick<
    Config,
    | 'TOKEN_ISSUER'
    | 'CREDENTIAL_HASH_KEY'
    | 'KEY_ENCRYPTION_KEY'
    | 'KEY_ROTATION_MS'
    | 'OPERATOR_SESSION_MS'
    | 'LOCAL_OPERATOR_TOKEN'
    | 'LIVE_CREDENTIALS_NEED_CERTIFICATION'
  >;
  pool: Pool;
  replica?: Replica | undefined;
  prisma: PrismaClient;
  clock: Clock;
  metrics?: Registry | undefined;
}

/** identity without its process: the services to serve and the rotation to run now and then. */
export interface Identity {
  rpc: RpcService[];
  rotateKeys: () => Promise<RotationResult>;
  /**
   * Opens the signing keys and seals them under the first key; rejects when KEY_ENCRYPTION_KEY lacks the one they were sealed with, or
   * CREDENTIAL_HASH_KEY one that a credential or an operator token still needs.
   */
  openKeys: () => Promise<void>;
  /** Decides which partners have shown that they wait as long as Retry-After says; returns how many it was. */
  settleLimits: () => Promise<number>;
  /** Logs the end of the audit's chain, signed. */
  publishAuditHead: (log: Logger) => Promise<void>;
  /** Makes the token of LOCAL_OPERATOR_TOKEN known, where there is one. */
  seedOperatorToken: () => Promise<void>;
}

/** Wires the use cases to one database. */
export function createIdentity({ config, pool, replica, prisma, clock, metrics }: IdentityDeps): Identity {
  const count = metrics && countExchanges(metrics);
  const chain = new AuditChainRepository(pool);
  const audit = new AuditRepository(prisma, pool, chain);
  const transact = createTransact(prisma);
  const hashes = new KeyedHashes(config.CREDENTIAL_HASH_KEY);
  const secrets = new ClientSecrets(hashes);
  const signingKeys = new SigningKeyRepository(prisma);
  const seal = new SecretSeal('KEY_ENCRYPTION_KEY', config.KEY_ENCRYPTION_KEY);
  const keyRing = new KeyRing(signingKeys, seal, clock);
  const signer = new TokenSigner(keyRing);
  const tokens = new TokenRepository(pool);
  const partners = new PartnerRepository(prisma, pool);
  const credentials = new CredentialRepository(prisma, pool);
  const signIns = new SignInRepository(prisma, pool);
  const certifications = new CertificationRepository(prisma);
  const certificationDeps = { transact, partners, certifications, audit };
  const operatorDeps = {
    transact,
    operators: new OperatorRepository(prisma),
    secrets: new OperatorSecrets(hashes),
    audit,
    clock,
    sessionMs: config.OPERATOR_SESSION_MS,
  };

  const tokenService = defineRpc(
    TokenServiceService,
    createTokenHandlers({
      tokens,
      credentials,
      secrets,
      signer,
      audit,
      clock,
      issuer: config.TOKEN_ISSUER,
      signIns,
      count,
      keyRing,
      revocations: new RevocationRepository(pool),
    }),
  );
  const partnerHandlers = {
    ...createPartnerHandlers({ transact, partners, audit }),
    ...createCredentialHandlers({
      ...{ transact, credentials, secrets, audit, clock, partners, signIns, certifications },
      needsCertification: config.LIVE_CREDENTIALS_NEED_CERTIFICATION,
    }),
  };
  const overReplica = replica && readsOver(replica.pool);
  const partnerService = readFromReplica(PartnerServiceService, partnerHandlers, replica, () =>
    createPartnerHandlers({ transact, partners, audit, ...overReplica }),
  );
  const auditService = readFromReplica(
    AuditServiceService,
    createAuditHandlers({ audit, chain, partners }),
    replica,
    () => createAuditHandlers({ audit, chain, partners, ...overReplica }),
  );
  const operatorService = defineRpc(OperatorServiceService, createOperatorHandlers(operatorDeps));
  return {
    rpc: [
      ...[tokenService, partnerService, auditService, operatorService],
      defineRpc(CertificationServiceService, createCertificationHandlers(certificationDeps)),
      defineRpc(
        CertificationOperationsServiceService,
        createCertificationOperationsHandlers(certificationDeps),
      ),
      defineRpc(SightingServiceService, createSightingHandlers(pool)),
    ].map(mapDatabaseOutage),
    rotateKeys: () => rotateSigningKeys({ signingKeys, seal, clock, rotationMs: config.KEY_ROTATION_MS }),
    openKeys: async () => {
      await resealSigningKeys(signingKeys, seal);
      await keyRing.publish();
      await requireHashKeys(prisma, hashes.keyIds, clock.now());
    },
    settleLimits: () => settleDueLimits(pool),
    publishAuditHead: (log) => publishHead({ chain, signer, log }),
    seedOperatorToken: async () => {
      if (config.LOCAL_OPERATOR_TOKEN) await seedOperatorToken(operatorDeps, config.LOCAL_OPERATOR_TOKEN);
    },
  };
}

/** What operators' searches and the audit are read by, over another pool. */
function readsOver(pool: Pool) {
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool) });
  const chain = new AuditChainRepository(pool);
  return {
    chain,
    audit: new AuditRepository(prisma, pool, chain),
    partners: new PartnerRepository(prisma, pool),
  };
}

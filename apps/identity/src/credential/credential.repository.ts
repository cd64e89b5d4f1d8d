import { isForeignKeyViolation, query, type PreparedStatement } from '@reseller/database';
import { AppError } from '@reseller/errors';
import type { EnvironmentName } from '@reseller/rpc';
import type { Pool } from 'pg';
import type { PrismaClient } from '../generated/prisma/client';
import type { KeyedHash } from '../secret/keyed-hashes';
import type { Transaction } from '../transaction';

/** A credential as stored, without the hash of its secret. */
export interface CredentialRecord {
  clientId: string;
  partnerId: string;
  environment: EnvironmentName;
  createdAt: Date;
  revokedAt: Date | null;
  expiresAt: Date | null;
  allowedCidrs: string[];
}

/** The same with its last use. */
export type UsedCredential = CredentialRecord & { lastUsedAt: Date | null; lastUsedFrom: string | null };

const COLUMNS = {
  ...{ clientId: true, partnerId: true, environment: true, createdAt: true, revokedAt: true },
  ...{ expiresAt: true, allowedCidrs: true },
};

/** The page of a partner's credentials; parameters partner, limit, offset. Raw: the newest use of each is one step into an index. */
const LIST: PreparedStatement = {
  name: 'credential-list',
  text: `SELECT c.client_id AS "clientId", c.partner_id AS "partnerId", c.environment, c.created_at AS "createdAt",
      c.revoked_at AS "revokedAt", c.expires_at AS "expiresAt", c.allowed_cidrs AS "allowedCidrs",
      coalesce(u.at, c.last_used_at) AS "lastUsedAt",
      CASE WHEN u.at IS NULL THEN c.last_used_from ELSE u.from_address END AS "lastUsedFrom"
    FROM credentials c LEFT JOIN LATERAL (
      SELECT s.at, s.from_address FROM sign_ins s
      WHERE s.client_id = c.client_id AND s.result = 'Issued' ORDER BY s.at DESC LIMIT 1
    ) u ON true
    WHERE c.partner_id = $1::uuid ORDER BY c.created_at DESC, c.client_id DESC LIMIT $2 OFFSET $3`,
};

/** Reads and writes credentials; what changes them takes the caller's transaction. */
export class CredentialRepository {
  constructor(
    private readonly prisma: PrismaClient,
    private readonly pool: Pool,
  ) {}

  /** One page of a partner's credentials, newest first, and how many there are in all. */
  async list(
    partnerId: string,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<{ credentials: UsedCredential[]; totalCount: number }> {
    const [credentials, totalCount] = await Promise.all([
      query<UsedCredential>(this.pool, LIST, [partnerId, limit, offset]),
      this.prisma.credential.count({ where: { partnerId } }),
    ]);
    return { credentials, totalCount };
  }

  /** Stores a new credential; NOT_FOUND_PARTNER when there is no such partner. */
  async insert(
    { hashed, ...credential }: Omit<CredentialRecord, 'createdAt' | 'revokedAt'> & { hashed: KeyedHash },
    { prisma }: Transaction,
  ): Promise<CredentialRecord> {
    const data = { ...credential, secretHash: hashed.hash, hashKeyId: hashed.keyId };
    try {
      return await prisma.credential.create({ data, select: COLUMNS });
    } catch (cause) {
      if (!isForeignKeyViolation(cause)) throw cause;
      throw new AppError('NOT_FOUND_PARTNER', {}, { cause });
    }
  }

  /** Puts another hash of the same secret in place of the one by an older key, unless that was done meanwhile. */
  async renewHash(clientId: string, from: KeyedHash, to: KeyedHash): Promise<void> {
    await this.prisma.credential.updateMany({
      where: { clientId, hashKeyId: from.keyId },
      data: { secretHash: to.hash, hashKeyId: to.keyId },
    });
  }

  /** Ends a credential and returns it; undefined when it is unknown or ended already. */
  async revoke(clientId: string, { prisma }: Transaction): Promise<CredentialRecord | undefined> {
    const [revoked] = await prisma.credential.updateManyAndReturn({
      where: { clientId, revokedAt: null },
      data: { revokedAt: new Date() },
      select: COLUMNS,
    });
    return revoked;
  }

  /** Whether its partner has, or had, another one of the environment. */
  async hasAnother(
    { clientId, partnerId, environment }: Pick<CredentialRecord, 'clientId' | 'partnerId' | 'environment'>,
    { prisma }: Transaction,
  ): Promise<boolean> {
    const where = { partnerId, environment, clientId: { not: clientId } };
    return (await prisma.credential.findFirst({ where, select: { clientId: true } })) !== null;
  }

  /** The credential, or undefined. */
  async find(clientId: string, { prisma }: Transaction): Promise<CredentialRecord | undefined> {
    return (await prisma.credential.findUnique({ where: { clientId }, select: COLUMNS })) ?? undefined;
  }
}

import { isUniqueViolation, type RetentionRule } from '@reseller/database';
import type { OperatorRoleName } from '@reseller/rpc';
import type { PrismaClient } from '../generated/prisma/client';
import type { KeyedHash } from '../secret/keyed-hashes';
import type { Transaction } from '../transaction';

type Hash = Uint8Array<ArrayBuffer>;

/** Who an operator is, and what he may do. */
export interface OperatorIdentity {
  name: string;
  /** Whose decisions its own count as. */
  account: string;
  roles: OperatorRoleName[];
}

/** A token as stored, without its hash. */
export interface OperatorTokenRecord extends OperatorIdentity {
  id: string;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** A session as stored, without its hash. */
interface OperatorSessionRecord extends OperatorIdentity {
  createdAt: Date;
  expiresAt: Date;
}

const DAY_MS = 86_400_000;

/** Sessions that have ended, and attempts to sign in whose code nobody takes any more; an index serves each. */
export const OPERATOR_RETENTION: readonly RetentionRule[] = [
  { table: 'operator_sessions', oldestFirst: 'expires_at', expired: 'expires_at < $1', keepMs: DAY_MS },
  { table: 'operator_sign_ins', oldestFirst: 'used_at', expired: 'used_at < $1', keepMs: DAY_MS },
];

const WITHOUT_HASH = { tokenHash: true, hashKeyId: true } as const;

/** Reads and writes the tokens and sessions of operators. */
export class OperatorRepository {
  constructor(private readonly prisma: PrismaClient) {}

  /** Stores a new token, in the transaction if one is given; one whose hash is there already is left as it is. */
  async insertToken(
    { hashed, ...token }: Omit<OperatorTokenRecord, 'lastUsedAt' | 'revokedAt'> & { hashed: KeyedHash },
    tx?: Transaction,
  ): Promise<void> {
    const { operatorToken } = tx?.prisma ?? this.prisma;
    const data = [{ ...token, tokenHash: hashed.hash, hashKeyId: hashed.keyId }];
    await operatorToken.createMany({ data, skipDuplicates: true });
  }

  /** The token that has one of these hashes, and the key of its hash; or undefined. */
  async findToken(hashes: Hash[]): Promise<(OperatorTokenRecord & { hashKeyId: string }) | undefined> {
    const where = { tokenHash: { in: hashes } };
    const row = await this.prisma.operatorToken.findFirst({ where, omit: { tokenHash: true } });
    return row ? { ...asToken(row), hashKeyId: row.hashKeyId } : undefined;
  }

  /** Puts another hash of the same token in place of the one by an older key. */
  async renewHash(id: string, { hash, keyId }: KeyedHash): Promise<void> {
    await this.prisma.operatorToken.updateMany({
      where: { id },
      data: { tokenHash: hash, hashKeyId: keyId },
    });
  }

  /** One page of tokens, newest first (spec §1.6), and how many there are in all. */
  async listTokens(page: {
    limit: number;
    offset: number;
  }): Promise<{ tokens: OperatorTokenRecord[]; totalCount: number }> {
    const [rows, totalCount] = await Promise.all([
      this.prisma.operatorToken.findMany({
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: page.limit,
        skip: page.offset,
        omit: WITHOUT_HASH,
      }),
      this.prisma.operatorToken.count(),
    ]);
    return { tokens: rows.map(asToken), totalCount };
  }

  /** Notes a use unless one at or after `since` is noted: a busy program does not write at each call. */
  async noteUse(id: string, at: Date, since: Date): Promise<void> {
    await this.prisma.operatorToken.updateMany({
      where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: since } }] },
      data: { lastUsedAt: at },
    });
  }

  /** Revokes a token and returns it as it is now, and whether this call did it; undefined when it is unknown. */
  async revokeToken(
    id: string,
    at: Date,
    { prisma }: Transaction,
  ): Promise<{ token: OperatorTokenRecord; isFirst: boolean } | undefined> {
    const { count } = await prisma.operatorToken.updateMany({
      where: { id, revokedAt: null },
      data: { revokedAt: at },
    });
    const row = await prisma.operatorToken.findUnique({ where: { id }, omit: WITHOUT_HASH });
    return row ? { token: asToken(row), isFirst: count === 1 } : undefined;
  }

  /** False when the attempt was used before; each of its hashes is kept, so that instances with other first keys see it too. */
  async useSignIn(hashes: Hash[], usedAt: Date): Promise<boolean> {
    try {
      await this.prisma.operatorSignIn.createMany({
        data: hashes.map((signInHash) => ({ signInHash, usedAt })),
      });
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  /** Stores a new session. */
  async insertSession(
    session: OperatorSessionRecord & { sessionHash: Hash },
    { prisma }: Transaction,
  ): Promise<void> {
    await prisma.operatorSession.create({ data: session });
  }

  /** The session that has one of these hashes, and that hash; or undefined. */
  async findSession(hashes: Hash[]): Promise<(OperatorSessionRecord & { sessionHash: Hash }) | undefined> {
    const row = await this.prisma.operatorSession.findFirst({ where: { sessionHash: { in: hashes } } });
    return row ? { ...row, roles: row.roles as OperatorRoleName[] } : undefined;
  }

  /** Puts another hash of the same session in place of the one by an older key, unless that was done meanwhile. */
  async renewSessionHash(from: Hash, to: Hash): Promise<void> {
    await this.prisma.operatorSession.updateMany({
      where: { sessionHash: from },
      data: { sessionHash: to },
    });
  }

  /** Removes the session; false when there is none. */
  async deleteSession(hashes: Hash[], { prisma }: Transaction): Promise<boolean> {
    const { count } = await prisma.operatorSession.deleteMany({ where: { sessionHash: { in: hashes } } });
    return count === 1;
  }
}

/** The table holds no other roles. */
const asToken = (row: Omit<OperatorTokenRecord, 'roles'> & { roles: string[] }): OperatorTokenRecord => ({
  ...row,
  roles: row.roles as OperatorRoleName[],
});

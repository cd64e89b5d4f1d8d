import { isUniqueViolation } from '@reseller/database';
import type { OperatorRoleName } from '@reseller/rpc';
import type { PrismaClient } from '../generated/prisma/client';
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
export interface OperatorSessionRecord extends OperatorIdentity {
  createdAt: Date;
  expiresAt: Date;
}

const WITHOUT_HASH = { tokenHash: true } as const;

/** Reads and writes the tokens and sessions of operators. */
export class OperatorRepository {
  constructor(private readonly prisma: PrismaClient) {}

  /** Stores a new token, in the transaction if one is given; one whose hash is there already is left as it is. */
  async insertToken(
    token: Omit<OperatorTokenRecord, 'lastUsedAt' | 'revokedAt'> & { tokenHash: Hash },
    tx?: Transaction,
  ): Promise<void> {
    const { operatorToken } = tx?.prisma ?? this.prisma;
    await operatorToken.createMany({ data: [token], skipDuplicates: true });
  }

  /** The token, or undefined. */
  async findToken(tokenHash: Hash): Promise<OperatorTokenRecord | undefined> {
    const row = await this.prisma.operatorToken.findUnique({ where: { tokenHash }, omit: WITHOUT_HASH });
    return row ? asToken(row) : undefined;
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

  /** False when the attempt was used before. */
  async useSignIn(signInHash: Hash, usedAt: Date): Promise<boolean> {
    try {
      await this.prisma.operatorSignIn.create({ data: { signInHash, usedAt } });
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

  /** The session, or undefined. */
  async findSession(sessionHash: Hash): Promise<OperatorSessionRecord | undefined> {
    const row = await this.prisma.operatorSession.findUnique({
      where: { sessionHash },
      omit: { sessionHash: true },
    });
    return row ? { ...row, roles: row.roles as OperatorRoleName[] } : undefined;
  }

  /** Removes the session; false when there is none. */
  async deleteSession(sessionHash: Hash, { prisma }: Transaction): Promise<boolean> {
    const { count } = await prisma.operatorSession.deleteMany({ where: { sessionHash } });
    return count === 1;
  }
}

/** The table holds no other roles. */
const asToken = (row: Omit<OperatorTokenRecord, 'roles'> & { roles: string[] }): OperatorTokenRecord => ({
  ...row,
  roles: row.roles as OperatorRoleName[],
});

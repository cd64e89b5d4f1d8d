import type { JWK } from 'jose';
import type { Prisma, PrismaClient } from '../generated/prisma/client';
import type { SealedSecret } from '@reseller/service-kit';
import type { Transaction } from '../transaction';
import type { MadeKey, ScheduledKey } from './domain/key-schedule';

/** A signing key as stored; the private half is sealed. */
export interface SigningKeyRecord extends MadeKey {
  keyId: string;
  publicJwk: JWK;
  sealed: SealedSecret;
  createdAt: Date;
}

/** Reads and writes the signing keys, which are never more than a few. */
export class SigningKeyRepository {
  constructor(private readonly prisma: PrismaClient) {}

  /** All keys in order of generation. */
  async list(): Promise<SigningKeyRecord[]> {
    const rows = await this.prisma.signingKey.findMany({ orderBy: { generation: 'asc' } });
    return rows.map(({ sealedPrivateKey, sealedBy, publicJwk, ...row }) => ({
      ...row,
      publicJwk: publicJwk as JWK,
      sealed: { ciphertext: sealedPrivateKey, keyId: sealedBy },
    }));
  }

  /** The key's place in time, of the latest generation; undefined before the first. */
  async findLatest(tx?: Transaction): Promise<ScheduledKey | undefined> {
    const latest = await (tx?.prisma ?? this.prisma).signingKey.findFirst({
      select: { generation: true, signFrom: true },
      orderBy: { generation: 'desc' },
    });
    return latest ?? undefined;
  }

  /** Stores a key unless another instance has stored one of the same generation; true when it was stored. */
  async insertOnce({ sealed, publicJwk, ...key }: SigningKeyRecord, tx?: Transaction): Promise<boolean> {
    const data = { ...key, ...asColumns(sealed), publicJwk: { ...publicJwk } as Prisma.InputJsonObject };
    const { signingKey } = tx?.prisma ?? this.prisma;
    const { count } = await signingKey.createMany({ data, skipDuplicates: true });
    return count > 0;
  }

  /** Puts the same private key, sealed anew, in place of the one by an older key, unless that was done meanwhile. */
  async reseal(keyId: string, from: SealedSecret, to: SealedSecret): Promise<void> {
    await this.prisma.signingKey.updateMany({ where: { keyId, sealedBy: from.keyId }, data: asColumns(to) });
  }

  /** Revokes every key there is; no other is made before the transaction ends. */
  async revokeAll(revokedAt: Date, { prisma }: Transaction): Promise<string[]> {
    // Raw: Prisma has no lock; a rotation that made the next key meanwhile would otherwise keep one that is not revoked.
    await prisma.$executeRaw`LOCK TABLE signing_keys IN SHARE ROW EXCLUSIVE MODE`;
    const revoked = await prisma.signingKey.updateManyAndReturn({
      where: { revokedAt: null },
      data: { revokedAt },
      select: { keyId: true },
    });
    return revoked.map(({ keyId }) => keyId);
  }

  /** Forgets the keys whose successor signs since `takenOverBy` or longer; returns how many. */
  async deleteSucceeded(takenOverBy: Date): Promise<number> {
    const successors = await this.prisma.signingKey.findMany({
      select: { generation: true },
      where: { signFrom: { lte: takenOverBy } },
    });
    const generations = successors.map(({ generation }) => generation - 1);
    const { count } = await this.prisma.signingKey.deleteMany({ where: { generation: { in: generations } } });
    return count;
  }
}

const asColumns = ({ ciphertext, keyId }: SealedSecret) => ({
  sealedPrivateKey: new Uint8Array(ciphertext),
  sealedBy: keyId,
});

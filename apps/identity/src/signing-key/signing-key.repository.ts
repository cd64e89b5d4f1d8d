import type { JWK } from 'jose';
import type { Prisma, PrismaClient } from '../generated/prisma/client';
import type { ScheduledKey } from './domain/key-schedule';

/** A signing key as stored; the private half is sealed. */
export interface SigningKeyRecord extends ScheduledKey {
  keyId: string;
  publicJwk: JWK;
  sealedPrivateKey: Uint8Array;
  createdAt: Date;
}

/** Reads and writes the signing keys, which are never more than a few. */
export class SigningKeyRepository {
  constructor(private readonly prisma: PrismaClient) {}

  /** All keys in order of generation. */
  async list(): Promise<SigningKeyRecord[]> {
    const rows = await this.prisma.signingKey.findMany({ orderBy: { generation: 'asc' } });
    return rows.map((row) => ({ ...row, publicJwk: row.publicJwk as JWK }));
  }

  /** The key's place in time, of the latest generation; undefined before the first. */
  async findLatest(): Promise<ScheduledKey | undefined> {
    const latest = await this.prisma.signingKey.findFirst({
      select: { generation: true, signFrom: true },
      orderBy: { generation: 'desc' },
    });
    return latest ?? undefined;
  }

  /** Stores a key unless another instance has stored one of the same generation; true when it was stored. */
  async insertOnce(key: SigningKeyRecord): Promise<boolean> {
    const publicJwk = { ...key.publicJwk } as Prisma.InputJsonObject;
    const data = { ...key, publicJwk, sealedPrivateKey: new Uint8Array(key.sealedPrivateKey) };
    const { count } = await this.prisma.signingKey.createMany({ data, skipDuplicates: true });
    return count > 0;
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

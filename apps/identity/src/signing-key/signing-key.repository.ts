import { query, type PreparedStatement } from '@reseller/database';
import type { JWK } from 'jose';
import type { Pool } from 'pg';
import type { PrismaClient } from '../generated/prisma/client';
import type { ScheduledKey } from './domain/key-schedule';

/** A signing key as stored; the private half is sealed. */
export interface SigningKeyRecord extends ScheduledKey {
  keyId: string;
  publicJwk: JWK;
  sealedPrivateKey: Uint8Array;
  createdAt: Date;
}

const INSERT: PreparedStatement = {
  name: 'signing-key-insert',
  text: `INSERT INTO signing_keys (generation, key_id, public_jwk, sealed_private_key, created_at, sign_from)
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (generation) DO NOTHING RETURNING generation`,
};
const DELETE_SUCCEEDED: PreparedStatement = {
  name: 'signing-key-delete-succeeded',
  text: `DELETE FROM signing_keys k USING signing_keys successor
    WHERE successor.generation = k.generation + 1 AND successor.sign_from <= $1 RETURNING k.generation`,
};

/** Reads and writes the signing keys, which are never more than a few. */
export class SigningKeyRepository {
  constructor(
    private readonly prisma: PrismaClient,
    private readonly pool: Pool,
  ) {}

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
    const { generation, keyId, publicJwk, sealedPrivateKey, createdAt, signFrom } = key;
    const values = [generation, keyId, publicJwk, sealedPrivateKey, createdAt, signFrom];
    return (await query(this.pool, INSERT, values)).length > 0;
  }

  /** Forgets the keys whose successor signs since `takenOverBy` or longer; returns how many. */
  async deleteSucceeded(takenOverBy: Date): Promise<number> {
    return (await query(this.pool, DELETE_SUCCEEDED, [takenOverBy])).length;
  }
}

import { isForeignKeyViolation } from '@reseller/database';
import { AppError } from '@reseller/errors';
import type { EnvironmentName } from '@reseller/rpc';
import type { Transaction } from '../transaction';

/** A credential as stored, without the hash of its secret. */
export interface CredentialRecord {
  clientId: string;
  partnerId: string;
  environment: EnvironmentName;
  createdAt: Date;
  revokedAt: Date | null;
}

const COLUMNS = { clientId: true, partnerId: true, environment: true, createdAt: true, revokedAt: true };

/** Reads and writes credentials; every function takes the caller's transaction. */
export class CredentialRepository {
  /** Stores a new credential; NOT_FOUND_PARTNER when there is no such partner. */
  async insert(
    credential: { clientId: string; partnerId: string; environment: EnvironmentName; secretHash: Buffer },
    { prisma }: Transaction,
  ): Promise<CredentialRecord> {
    const data = { ...credential, secretHash: new Uint8Array(credential.secretHash) };
    try {
      return await prisma.credential.create({ data, select: COLUMNS });
    } catch (cause) {
      if (!isForeignKeyViolation(cause)) throw cause;
      throw new AppError('NOT_FOUND_PARTNER', {}, { cause });
    }
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

  /** The credential, or undefined. */
  async find(clientId: string, { prisma }: Transaction): Promise<CredentialRecord | undefined> {
    return (await prisma.credential.findUnique({ where: { clientId }, select: COLUMNS })) ?? undefined;
  }
}

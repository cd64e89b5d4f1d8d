import { v7 as uuidv7 } from 'uuid';
import type { PrismaClient } from '../generated/prisma/client';
import type { WalletRef } from '../ledger/domain/wallet-operation';
import type { LedgerPosition } from './domain/entry-range';

/** A wallet without its money, which only a balance read tells. */
export interface WalletRecord extends WalletRef {
  id: string;
  currency: string;
  openedAt: Date;
  /** Where its ledger ended when it was read. */
  end: LedgerPosition;
}

/** Opens and finds wallets. */
export class WalletRepository {
  constructor(private readonly prisma: PrismaClient) {}

  /** Makes the wallet unless there is one; any number at once make one. */
  async openOnce({ partnerId, environment }: WalletRef): Promise<void> {
    const data = [{ id: uuidv7(), partnerId, environment }];
    await this.prisma.wallet.createMany({ data, skipDuplicates: true });
  }

  async find({ partnerId, environment }: WalletRef): Promise<WalletRecord | undefined> {
    const wallet = await this.prisma.wallet.findUnique({
      where: { partnerId_environment: { partnerId, environment } },
      // Never last_entry_at: it is -infinity before the first line, which no Date can hold.
      select: { id: true, currency: true, openedAt: true, lastSeq: true, lastDebitSeq: true },
    });
    if (!wallet) return undefined;
    const { id, currency, openedAt, lastSeq, lastDebitSeq } = wallet;
    return { partnerId, environment, id, currency, openedAt, end: { seq: lastSeq, debitSeq: lastDebitSeq } };
  }
}

import { query, withTransaction, type PreparedStatement } from '@reseller/database';
import { appendToOutbox } from '@reseller/messaging';
import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { PrismaClient } from '../generated/prisma/client';
import type { LimitRepository } from '../limit/limit.repository';
import type { WalletRef } from '../ledger/domain/wallet-operation';
import { LEDGER_START, type LedgerPosition } from './domain/entry-range';
import { walletOpenedEvent } from './wallet-events';

// Raw: in one transaction with its event, which only whoever opened it appends.
const OPEN: PreparedStatement = {
  name: 'open_wallet',
  text: `INSERT INTO wallets (id, partner_id, environment) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
         RETURNING id, currency, opened_at AS "openedAt"`,
};

/** A wallet without its money, which only a balance read shows. */
export interface WalletRecord extends WalletRef {
  id: string;
  currency: string;
  openedAt: Date;
  /** Where its ledger ended when it was read. */
  end: LedgerPosition;
}

/** Opens and finds wallets. */
export class WalletRepository {
  constructor(
    private readonly pool: Pool,
    private readonly prisma: PrismaClient,
    private readonly limits: Pick<LimitRepository, 'lock' | 'applyTo'>,
  ) {}

  /** Makes the wallet, under the limits that are set already, and returns it, unless there is one; any number at once make one. */
  async openOnce(ref: WalletRef): Promise<WalletRecord | undefined> {
    return withTransaction(this.pool, async (tx) => {
      await this.limits.lock(tx, ref.partnerId);
      const values = [uuidv7(), ref.partnerId, ref.environment];
      const [opened] = await query<{ id: string; currency: string; openedAt: Date }>(tx, OPEN, values);
      if (!opened) return undefined;
      await this.limits.applyTo(tx, ref);
      await appendToOutbox(tx, walletOpenedEvent({ ...ref, ...opened }));
      return { ...ref, ...opened, end: LEDGER_START };
    });
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

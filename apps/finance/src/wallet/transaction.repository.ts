import type { LedgerEntry, PrismaClient } from '../generated/prisma/client';
import { LEDGER_START, type EntryRange, type LedgerPosition, type TypeFilter } from './domain/entry-range';
import type { ReferenceKind, TransactionKind, WalletLine } from './domain/wallet-transaction';

/** Reads the lines of wallets; all of them are committed and never change. */
export class TransactionRepository {
  constructor(private readonly prisma: PrismaClient) {}

  /** The position after the last line before a moment. */
  async positionBefore(walletId: string, moment: Date): Promise<LedgerPosition> {
    const entry = await this.prisma.ledgerEntry.findFirst({
      where: { walletId, occurredAt: { lt: moment } },
      orderBy: { occurredAt: 'desc' },
      select: { seq: true, debitSeq: true },
    });
    return entry ? { seq: entry.seq ?? 0n, debitSeq: entry.debitSeq ?? 0n } : LEDGER_START;
  }

  /** The lines of a range, newest first. */
  async listRange(walletId: string, type: TypeFilter, { after, upTo }: EntryRange): Promise<WalletLine[]> {
    if (upTo <= after) return [];
    const between = { gt: after, lte: upTo };
    const entries =
      type === undefined
        ? await this.prisma.ledgerEntry.findMany({
            where: { walletId, seq: between },
            orderBy: { seq: 'desc' },
          })
        : await this.prisma.ledgerEntry.findMany({
            where: { walletId, transactionType: type, typeSeq: between },
            orderBy: { typeSeq: 'desc' },
          });
    return entries.map(toLine);
  }

  /** Wallet lines that name an order or deposit, oldest first. */
  async listByReference(referenceId: string, limit: number): Promise<WalletLine[]> {
    const entries = await this.prisma.ledgerEntry.findMany({
      where: { referenceId, walletId: { not: null } },
      orderBy: [{ occurredAt: 'asc' }, { transactionId: 'asc' }],
      take: limit,
    });
    return entries.map(toLine);
  }
}

function toLine(entry: LedgerEntry): WalletLine {
  return {
    transactionId: entry.transactionId.toString(),
    occurredAt: entry.occurredAt,
    transactionType: entry.transactionType as TransactionKind,
    referenceType: entry.referenceType as ReferenceKind,
    referenceId: entry.referenceId,
    amount: entry.amount.abs().toFixed(2),
    balanceAfter: (entry.balanceAfter ?? entry.amount).toFixed(2),
    notes: entry.notes,
    orderGoodsVatAmount: entry.orderGoodsVatAmount?.toFixed(2),
    orderCommissionVatAmount: entry.orderCommissionVatAmount?.toFixed(2),
    orderTotalAmountWithVat: entry.orderTotalAmountWithVat?.toFixed(2),
    orderTotalCommissionWithVat: entry.orderTotalCommissionWithVat?.toFixed(2),
  };
}

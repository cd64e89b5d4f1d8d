import type { LedgerEntry, LedgerTransaction, PrismaClient } from '../generated/prisma/client';
import type { OperatorDecision } from '../ledger/domain/operator-decision';
import { LEDGER_START, type EntryRange, type LedgerPosition, type TypeFilter } from './domain/entry-range';
import type { ReferenceKind, TransactionKind, WalletLine } from './domain/wallet-transaction';

// A movement has two lines of a wallet at most; whoever reads lines reads whose decision they follow from.
const WITH_DECISION = { tx: { select: { operator: true, requestId: true, approvedBy: true } } } as const;

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
            include: WITH_DECISION,
          })
        : await this.prisma.ledgerEntry.findMany({
            where: { walletId, transactionType: type, typeSeq: between },
            orderBy: { typeSeq: 'desc' },
            include: WITH_DECISION,
          });
    return entries.map(toLine);
  }

  /** Whose decision a movement follows from. */
  async findDecision(txId: string): Promise<OperatorDecision | undefined> {
    const { select } = WITH_DECISION.tx;
    const tx = await this.prisma.ledgerTransaction.findUnique({ where: { id: txId }, select });
    return tx ? toDecision(tx) : undefined;
  }

  /** Lines that name an order or deposit, oldest first; of any wallet, or of one. */
  async listByReference(referenceId: string, limit: number, walletId?: string): Promise<WalletLine[]> {
    const entries = await this.prisma.ledgerEntry.findMany({
      where: { referenceId, walletId: walletId ?? { not: null } },
      orderBy: [{ occurredAt: 'asc' }, { transactionId: 'asc' }],
      take: limit,
      include: WITH_DECISION,
    });
    return entries.map(toLine);
  }

  /** What a wallet set aside under a reservation's key; undefined for nothing. */
  async findHold(walletId: string, opKey: string): Promise<Hold | undefined> {
    const found = await this.prisma.reservation.findUnique({
      where: { opKey, walletId, amount: { gt: 0 } },
      // Never expires_at: it may be infinity, which no Date can hold.
      select: { createdAt: true, amount: true, endedAt: true },
    });
    if (!found) return undefined;
    const { createdAt: heldAt, amount, endedAt } = found;
    return { heldAt, amount: amount.toFixed(2), releasedAt: endedAt ?? undefined };
  }
}

/** Money set aside for an order. */
export interface Hold {
  readonly heldAt: Date;
  /** Positive, two decimals. */
  readonly amount: string;
  /** Undefined while it holds. */
  readonly releasedAt: Date | undefined;
}

type Decided = Pick<LedgerTransaction, 'operator' | 'requestId' | 'approvedBy'>;

function toDecision({ operator, requestId, approvedBy }: Decided): OperatorDecision | undefined {
  if (operator === null) return undefined;
  return { operator, requestId: requestId ?? undefined, approvedBy: approvedBy ?? undefined };
}

function toLine(entry: LedgerEntry & { tx: Decided }): WalletLine {
  return {
    transactionId: entry.transactionId.toString(),
    occurredAt: entry.occurredAt,
    transactionType: entry.transactionType as TransactionKind,
    referenceType: entry.referenceType as ReferenceKind,
    referenceId: entry.referenceId,
    amount: entry.amount.abs().toFixed(2),
    balanceAfter: (entry.balanceAfter ?? entry.amount).toFixed(2),
    notes: entry.notes,
    decidedBy: toDecision(entry.tx),
    orderGoodsVatAmount: entry.orderGoodsVatAmount?.toFixed(2),
    orderCommissionVatAmount: entry.orderCommissionVatAmount?.toFixed(2),
    orderTotalAmountWithVat: entry.orderTotalAmountWithVat?.toFixed(2),
    orderTotalCommissionWithVat: entry.orderTotalCommissionWithVat?.toFixed(2),
  };
}

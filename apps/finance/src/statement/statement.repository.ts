import { isUniqueViolation, query, type PreparedStatement, type Queryable } from '@reseller/database';
import type { WalletRef } from '../ledger/domain/wallet-operation';
import type { PartnerDetails } from '../partner/partner-directory';
import {
  DOCUMENT_NATURE,
  PIECE_SIZE,
  type EmailPlan,
  type EmailStatus,
  type Period,
  type Statement,
  type StoredLine,
} from './domain/statement';

const COLUMNS = `id, wallet_id, partner_id, environment, sequence_number, statement_number, period_from, period_to,
  generated_at, after_seq, up_to_seq, currency, opening_balance, closing_balance, total_debits, total_credits,
  partner_global_id, partner_name, partner_tax_registration_number, platform_tax_registration_number, document_nature,
  email_to, email_status, email_status_reason, email_sent_at`;

// Holds the wallet's lock only as long as it takes to say that no entry before p_to can come any more: an entry's time is
// taken under that lock, after last_entry_at (docs/adr/0009).
const CLOSE_LEDGER: PreparedStatement = {
  name: 'statement_close_ledger',
  text: `UPDATE wallet SET last_entry_at = greatest(last_entry_at, $3::timestamptz - interval '1 microsecond')
         WHERE partner_id = $1 AND environment = $2 AND $3::timestamptz <= clock_timestamp()
         RETURNING id`,
};
const CREATE: PreparedStatement = {
  name: 'statement_create',
  text: `SELECT statement_create($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) AS outcome`,
};
const GET: PreparedStatement = {
  name: 'statement_get',
  text: `SELECT ${COLUMNS} FROM statement WHERE id = $1`,
};
const LIST: PreparedStatement = {
  name: 'statement_list',
  text: `SELECT ${COLUMNS} FROM statement WHERE wallet_id = (SELECT id FROM wallet WHERE partner_id = $1 AND environment = $2)
         ORDER BY sequence_number DESC LIMIT $3 OFFSET $4`,
};
// Numbers run from 1 without gaps.
const COUNT: PreparedStatement = {
  name: 'statement_count',
  text: `SELECT coalesce(max(sequence_number), 0) AS count FROM statement
         WHERE wallet_id = (SELECT id FROM wallet WHERE partner_id = $1 AND environment = $2)`,
};
const STORED_LINES: PreparedStatement = {
  name: 'statement_stored_lines',
  text: 'SELECT lines FROM statement_piece WHERE statement_id = $1 AND piece = $2',
};
const LEDGER_LINES: PreparedStatement = {
  name: 'statement_ledger_lines',
  text: 'SELECT statement_lines($1, $2, $3) AS lines',
};
const REPORT: PreparedStatement = {
  name: 'statement_report',
  text: `SELECT w.id AS wallet_id, w.currency, f.seq AS after_seq, t.seq AS up_to_seq, f.balance AS opening_balance,
                t.balance AS closing_balance, s.debits AS total_debits, s.credits AS total_credits,
                date_trunc('milliseconds', clock_timestamp()) AS generated_at
         FROM wallet w, statement_cut(w.id, $3) f, statement_cut(w.id, $4) t,
              LATERAL (SELECT coalesce(-sum(amount) FILTER (WHERE amount < 0), 0.00) AS debits,
                              coalesce(sum(amount) FILTER (WHERE amount > 0), 0.00) AS credits
                       FROM ledger_entry WHERE wallet_id = w.id AND seq > f.seq AND seq <= t.seq) s
         WHERE w.partner_id = $1 AND w.environment = $2`,
};
const ID_PAGE: PreparedStatement = {
  name: 'statement_ids',
  text: 'SELECT id FROM statement WHERE id > $1 ORDER BY id LIMIT $2',
};
// Those with a month that closed since their last statement, or since they were opened.
const DUE_WALLETS: PreparedStatement = {
  name: 'statement_due_wallets',
  text: `SELECT w.id, w.partner_id, w.environment, s.start
         FROM wallet w
         CROSS JOIN LATERAL (
           SELECT coalesce((SELECT period_to FROM statement WHERE wallet_id = w.id ORDER BY sequence_number DESC LIMIT 1),
                           date_trunc('milliseconds', w.opened_at)) AS start) s
         WHERE w.id > $1
           AND (date_trunc('month', s.start AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC' <= $2::timestamptz
         ORDER BY w.id LIMIT $3`,
};

interface StatementRow {
  id: string;
  wallet_id: string;
  partner_id: string;
  environment: WalletRef['environment'];
  sequence_number: number;
  statement_number: string;
  period_from: Date;
  period_to: Date;
  generated_at: Date;
  after_seq: string;
  up_to_seq: string;
  currency: string;
  opening_balance: string;
  closing_balance: string;
  total_debits: string;
  total_credits: string;
  partner_global_id: string;
  partner_name: string;
  partner_tax_registration_number: string | null;
  platform_tax_registration_number: string | null;
  document_nature: string;
  email_to: string | null;
  email_status: EmailStatus;
  email_status_reason: string | null;
  email_sent_at: Date | null;
}

/** What a provisional document says of the ledger. */
export interface LedgerReport {
  readonly walletId: string;
  readonly currency: string;
  readonly afterSeq: bigint;
  readonly upToSeq: bigint;
  readonly totalDebits: string;
  readonly totalCredits: string;
  readonly generatedAt: Date;
}

/** What a new statement is made of, beside the ledger. */
export interface NewStatement {
  readonly id: string;
  readonly walletId: string;
  readonly period: Period;
  readonly partner: PartnerDetails;
  readonly platformTaxRegistrationNumber: string | undefined;
  readonly email: EmailPlan;
}

/** A wallet with a closed month that no statement covers; `start` is where its next statement begins. */
export interface DueWallet extends WalletRef {
  readonly walletId: string;
  readonly start: Date;
}

/** Makes and reads statements; see docs/adr/0009 for why none is half made and none overlaps. */
export class StatementRepository {
  constructor(private readonly db: Queryable) {}

  /** Sees to it that no entry before `to` can be posted any more; undefined when there is no wallet or `to` lies ahead. */
  async closeLedger({ partnerId, environment }: WalletRef, to: Date): Promise<string | undefined> {
    const [row] = await query<{ id: string }>(this.db, CLOSE_LEDGER, [partnerId, environment, to]);
    return row?.id;
  }

  /** Makes the statement whole, or nothing; the ledger must have been closed up to its end before. */
  async create(statement: NewStatement): Promise<'ok' | 'conflict'> {
    const { id, walletId, period, partner, platformTaxRegistrationNumber, email } = statement;
    try {
      const [row] = await query<{ outcome: 'ok' | 'conflict' }>(this.db, CREATE, [
        id,
        walletId,
        period.from,
        period.to,
        partner.globalId,
        partner.name,
        partner.taxRegistrationNumber ?? null,
        platformTaxRegistrationNumber ?? null,
        DOCUMENT_NATURE,
        email.to ?? null,
        email.status,
        email.reason ?? null,
      ]);
      return row?.outcome ?? 'conflict';
    } catch (error) {
      // Another one took this number meanwhile.
      if (isUniqueViolation(error)) return 'conflict';
      throw error;
    }
  }

  async find(id: string): Promise<Statement | undefined> {
    const [row] = await query<StatementRow>(this.db, GET, [id]);
    return row && toStatement(row);
  }

  /** The newest number first. */
  async list(
    { partnerId, environment }: WalletRef,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<{ statements: Statement[]; totalCount: number }> {
    const rows = await query<StatementRow>(this.db, LIST, [partnerId, environment, limit, offset]);
    const [counted] = await query<{ count: number }>(this.db, COUNT, [partnerId, environment]);
    return { statements: rows.map(toStatement), totalCount: counted?.count ?? 0 };
  }

  /** One piece of a statement's lines as they were issued; none past the last. */
  async storedLines(statementId: string, piece: number): Promise<StoredLine[]> {
    const [row] = await query<{ lines: StoredLine[] }>(this.db, STORED_LINES, [statementId, piece]);
    return row?.lines ?? [];
  }

  /** One piece of the ledger's lines between two positions; none past the last. */
  async ledgerLines(
    walletId: string,
    { afterSeq, upToSeq }: { afterSeq: bigint; upToSeq: bigint },
    piece: number,
  ): Promise<StoredLine[]> {
    const after = afterSeq + BigInt(piece) * BigInt(PIECE_SIZE);
    if (after >= upToSeq) return [];
    const end = after + BigInt(PIECE_SIZE);
    const values = [walletId, after.toString(), (end < upToSeq ? end : upToSeq).toString()];
    const [row] = await query<{ lines: StoredLine[] }>(this.db, LEDGER_LINES, values);
    return row?.lines ?? [];
  }

  async report(
    { partnerId, environment }: WalletRef,
    { from, to }: Period,
  ): Promise<LedgerReport | undefined> {
    const [row] = await query<StatementRow>(this.db, REPORT, [partnerId, environment, from, to]);
    if (!row) return undefined;
    return {
      walletId: row.wallet_id,
      currency: row.currency,
      afterSeq: BigInt(row.after_seq),
      upToSeq: BigInt(row.up_to_seq),
      totalDebits: row.total_debits,
      totalCredits: row.total_credits,
      generatedAt: row.generated_at,
    };
  }

  /** Ids of all statements in their order, after one of them. */
  async idsAfter(id: string, limit: number): Promise<string[]> {
    return (await query<{ id: string }>(this.db, ID_PAGE, [id, limit])).map((row) => row.id);
  }

  /** Wallets whose next statement's month has closed, in order of their ids. */
  async dueWallets(afterWalletId: string, now: Date, limit: number): Promise<DueWallet[]> {
    const rows = await query<{
      id: string;
      partner_id: string;
      environment: WalletRef['environment'];
      start: Date;
    }>(this.db, DUE_WALLETS, [afterWalletId, now, limit]);
    return rows.map(({ id, partner_id, environment, start }) => ({
      walletId: id,
      partnerId: partner_id,
      environment,
      start,
    }));
  }
}

function toStatement(row: StatementRow): Statement {
  return {
    id: row.id,
    walletId: row.wallet_id,
    partnerId: row.partner_id,
    environment: row.environment,
    partnerName: row.partner_name,
    openingBalance: row.opening_balance,
    closingBalance: row.closing_balance,
    emailTo: row.email_to ?? undefined,
    emailStatus: row.email_status,
    emailStatusReason: row.email_status_reason ?? undefined,
    emailSentAt: row.email_sent_at ?? undefined,
    document: {
      partnerId: row.partner_id,
      partnerGlobalId: row.partner_global_id,
      sequenceNumber: row.sequence_number,
      statementNumber: row.statement_number,
      period: { from: row.period_from, to: row.period_to },
      generatedAt: row.generated_at,
      currency: row.currency,
      totalDebits: row.total_debits,
      totalCredits: row.total_credits,
      platformTaxRegistrationNumber: row.platform_tax_registration_number ?? undefined,
      partnerTaxRegistrationNumber: row.partner_tax_registration_number ?? undefined,
      documentNature: row.document_nature,
      afterSeq: BigInt(row.after_seq),
      upToSeq: BigInt(row.up_to_seq),
    },
  };
}

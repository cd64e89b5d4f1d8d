import { query, withTransaction, type PreparedStatement } from '@reseller/database';
import type { Pool } from 'pg';
import { PIECE_SIZE, piecesOf } from './domain/statement';
import { linesBetween } from './ledger-sql';

/** Copied by one transaction: 5,000 lines, a tenth of a second, and below one even where the machine is far too busy. */
export const PIECES_AT_ONCE = 10;

// Raw: pieces are copied where the entries are, so that a document of any length never leaves the database.
/** SQL that copies pieces from one number up to, not including, another: statement, wallet, its two positions, from, to. */
export const COPY_PIECES = `INSERT INTO statement_pieces (statement_id, piece, lines)
  SELECT $1::uuid, n, ${linesBetween('$2::uuid', `$3::bigint + n * ${PIECE_SIZE}`, `least($3::bigint + (n + 1) * ${PIECE_SIZE}, $4::bigint)`)}
  FROM generate_series($5::integer, $6::integer - 1) AS n`;

// Raw: the lock is the claim, and it ends with the transaction or its process; whoever comes meanwhile takes another statement.
const CLAIM: PreparedStatement = {
  name: 'statement_copy_claim',
  text: `SELECT s.id, c.pieces AS copied, s.wallet_id AS "walletId", s.after_seq AS "afterSeq", s.up_to_seq AS "upToSeq"
         FROM statement_copies c JOIN statements s ON s.id = c.statement_id
         ORDER BY c.statement_id LIMIT 1 FOR UPDATE OF c SKIP LOCKED`,
};
// Raw, as the two below: all is one short transaction over what the claim has locked.
const COPY: PreparedStatement = { name: 'statement_copy', text: COPY_PIECES };
const ADVANCE: PreparedStatement = {
  name: 'statement_copy_advance',
  text: 'UPDATE statement_copies SET pieces = $2 WHERE statement_id = $1',
};
const END: PreparedStatement = {
  name: 'statement_copy_end',
  text: `WITH ended AS (DELETE FROM statement_copies WHERE statement_id = $1)
         UPDATE statements SET email_due_at = clock_timestamp() WHERE id = $1 AND email_status = 'Pending'`,
};

interface Claimed {
  id: string;
  copied: number;
  walletId: string;
  afterSeq: string;
  upToSeq: string;
}

/** What a step of copying came to. */
export type CopyStep = 'nothing to do' | 'advanced' | 'completed';

/** Copies the lines of long statements, some pieces in each transaction; any number of instances may do it at once. */
export class StatementCopyRepository {
  constructor(private readonly pool: Pool) {}

  /** Copies the next pieces of a statement that nobody is at work on, all of them or none. */
  copyNext(pieces: number): Promise<CopyStep> {
    return withTransaction(this.pool, async (tx) => {
      const [claimed] = await query<Claimed>(tx, CLAIM);
      if (!claimed) return 'nothing to do';
      const { id, copied, walletId, afterSeq, upToSeq } = claimed;
      const all = piecesOf({ afterSeq: BigInt(afterSeq), upToSeq: BigInt(upToSeq) });
      const upTo = Math.min(copied + pieces, all);
      await query(tx, COPY, [id, walletId, afterSeq, upToSeq, copied, upTo]);
      if (upTo < all) {
        await query(tx, ADVANCE, [id, upTo]);
        return 'advanced';
      }
      await query(tx, END, [id]);
      return 'completed';
    });
  }
}

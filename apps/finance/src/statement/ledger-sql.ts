/**
 * SQL for where a wallet's ledger stood before a moment: `seq`, `balance` and `debits` (what its debits came to by then), 0 and
 * 0.00 before its first entry. Time ascends with seq (docs/adr/0007), so it is a cut by position; credits are balance + debits.
 * Only for a line older than its running total are debits added up.
 */
export const cutBefore = (walletId: string, moment: string): string =>
  `(SELECT coalesce(max(e.seq), 0) AS seq, coalesce(max(e.balance_after), 0.00)::numeric(20, 2) AS balance,
           coalesce(max(coalesce(e.debit_total, (SELECT -sum(o.amount) FROM ledger_entries AS o
             WHERE o.wallet_id = ${walletId} AND o.seq <= e.seq AND o.amount < 0))), 0.00)::numeric(20, 2) AS debits
    FROM (SELECT seq, balance_after, debit_total FROM ledger_entries
          WHERE wallet_id = ${walletId} AND occurred_at < ${moment} ORDER BY occurred_at DESC LIMIT 1) AS e)`;

/** SQL for a wallet's lines after one position up to another as a statement keeps them, byte for byte. */
export const linesBetween = (walletId: string, after: string, upTo: string): string =>
  `(SELECT coalesce(json_agg(json_build_object(
      'transactionId', e.transaction_id::text,
      'occurredAt', to_char(e.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
      'transactionType', e.transaction_type,
      'referenceType', e.reference_type,
      'referenceId', e.reference_id,
      'amount', abs(e.amount)::text,
      'balanceAfter', e.balance_after::text,
      'notes', e.notes,
      'orderGoodsVatAmount', e.order_goods_vat_amount::text,
      'orderCommissionVatAmount', e.order_commission_vat_amount::text,
      'orderTotalAmountWithVat', e.order_total_amount_with_vat::text,
      'orderTotalCommissionWithVat', e.order_total_commission_with_vat::text) ORDER BY e.seq), '[]')
    FROM ledger_entries AS e WHERE e.wallet_id = ${walletId} AND e.seq > ${after} AND e.seq <= ${upTo})`;

import { z } from 'zod';
import { amount, environmentName, moment, pageOfItems } from './fields';

/** A partner's wallet in one environment. */
export const walletResponse = z
  .strictObject({
    id: z.string(),
    partnerId: z.string(),
    environment: environmentName,
    currency: z.string(),
    currentBalance: amount,
    availableBalance: amount.meta({ description: 'What no running order holds.' }),
    openedAt: moment,
  })
  .meta({ id: 'Wallet' });

const REFERENCE_TYPES = [
  'Order',
  'Commission',
  'Refund',
  'CommissionClawback',
  'Deposit',
  'Adjustment',
] as const;

/** What a line of the ledger says of a movement, to its partner too (spec §3.6). */
export const postedFields = {
  transactionId: z.int(),
  timestamp: moment,
  transactionType: z.enum(['Debit', 'Credit']),
  referenceType: z.enum(REFERENCE_TYPES),
  referenceId: z.string(),
  amount: amount.meta({ description: 'Never negative: the type says whether it came or went.' }),
  balanceAfter: amount,
  notes: z.string(),
  orderGoodsVatAmount: amount.nullable(),
  orderCommissionVatAmount: amount.nullable(),
  orderTotalAmountWithVat: amount.nullable(),
  orderTotalCommissionWithVat: amount.nullable(),
};

/** A line of the ledger, and whose decision it follows from; null where a partner caused it (spec §18.4). */
export const ledgerLine = z
  .strictObject({
    ...postedFields,
    operator: z.string().nullable(),
    requestId: z.string().nullable(),
    approvedBy: z.string().nullable(),
  })
  .meta({ id: 'LedgerLine' });

/** A page of a wallet's ledger. */
export const ledgerPage = pageOfItems(ledgerLine);

import { z } from 'zod';
import { moment, money } from '../../fields/response-fields';
import { exampleTopupOrder } from '../../products/topup';

/** Which way money goes, seen from the partner. */
export const TRANSACTION_TYPES = ['Debit', 'Credit'] as const;

/** What a ledger line is about (spec §3.6). */
export const REFERENCE_TYPES = [
  'Order',
  'Commission',
  'Refund',
  'CommissionClawback',
  'Deposit',
  'Adjustment',
] as const;

const vatFigure = money('Set on the Order line of a scent order only.').nullable();

/** One line of the wallet's ledger. */
export const walletTransaction = z
  .strictObject({
    transactionId: z.int().meta({ description: 'Ascends with time.', format: 'int64' }),
    timestamp: moment('When it was posted.'),
    transactionType: z.enum(TRANSACTION_TYPES),
    referenceType: z.enum(REFERENCE_TYPES),
    referenceId: z.string().meta({ description: 'The orderGlobalId, or the deposit’s id.' }),
    amount: money('Positive.'),
    balanceAfter: money('The wallet’s balance after this line.'),
    notes: z.string().meta({
      description:
        'The order’s externalReference on every line that an order caused; else the operator’s notes.',
    }),
    orderGoodsVatAmount: vatFigure,
    orderCommissionVatAmount: vatFigure,
    orderTotalAmountWithVat: vatFigure,
    orderTotalCommissionWithVat: vatFigure,
  })
  .meta({ id: 'WalletTransaction' });

/** A line of the ledger for an order, as examples show it. */
export const exampleWalletTransaction = {
  transactionId: 1042,
  timestamp: '2026-01-15T09:30:00.398Z',
  transactionType: 'Debit' as const,
  referenceType: 'Order' as const,
  referenceId: exampleTopupOrder.orderGlobalId,
  amount: 25.5,
  balanceAfter: 9974.5,
  notes: exampleTopupOrder.externalReference,
  orderGoodsVatAmount: null,
  orderCommissionVatAmount: null,
  orderTotalAmountWithVat: null,
  orderTotalCommissionWithVat: null,
};

import { exampleTopupOrder } from '../../products/topup';

const lines = [
  {
    transactionId: 1042,
    timestamp: '2026-01-15T09:30:00.398Z',
    transactionType: 'Debit' as const,
    referenceType: 'Order' as const,
    referenceId: exampleTopupOrder.orderGlobalId,
    amount: 25.5,
    balanceAfter: 9974.5,
    notes: 'Top-up +966501234567',
    orderGoodsVatAmount: null,
    orderCommissionVatAmount: null,
    orderTotalAmountWithVat: null,
    orderTotalCommissionWithVat: null,
  },
];

const shared = {
  partnerId: exampleTopupOrder.partnerId,
  partnerGlobalId: 'PRT-000001',
  periodFrom: '2026-01-01T00:00:00.000Z',
  periodTo: '2026-02-01T00:00:00.000Z',
  generatedAt: '2026-02-01T00:10:00.000Z',
  currency: 'SAR',
  totalDebits: 25.5,
  totalCredits: 0,
  netPosition: -25.5,
};

const number = { sequenceNumber: 1, statementNumber: 'ST-PRT-000001-000001' };

const head = {
  ...shared,
  ...number,
  isProvisional: false,
  platformTaxRegistrationNumber: '300000000000003',
  partnerTaxRegistrationNumber: '310000000000003',
  documentNature: 'This is a commercial billing document for reconciliation. It is not a legal tax invoice.',
};

/** A statement of one line, as lists show it. */
export const exampleListedStatement = {
  id: '019c16d2-7a10-7c41-9a6d-0d5f2f6b8a10',
  ...shared,
  ...number,
  locked: true,
  emailStatus: 'Sent' as const,
  emailStatusReason: null,
  emailSentAt: '2026-02-01T00:10:02.314Z',
  document: head,
};

/** The same with its line. */
export const exampleStatement = { ...exampleListedStatement, document: { ...head, lines } };

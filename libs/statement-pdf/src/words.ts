/** In which language a statement is laid out. */
export type StatementLanguage = 'en' | 'ar';

/** What a statement says beside its figures. */
export interface Words {
  readonly title: string;
  readonly titleOf: (number: string) => string;
  readonly partner: string;
  readonly partnerId: string;
  readonly partnerTax: string;
  readonly platformTax: string;
  readonly period: string;
  /** Parts that are laid out each by itself: digits between Arabic words would be turned round. */
  readonly periodFromTo: (from: string, to: string) => readonly string[];
  readonly generated: string;
  readonly environment: string;
  readonly environments: Readonly<Record<'live' | 'sandbox', string>>;
  readonly opening: string;
  readonly debits: string;
  readonly credits: string;
  readonly net: string;
  readonly closing: string;
  readonly allAmountsIn: (currency: string) => string;
  readonly time: string;
  readonly transaction: string;
  readonly debit: string;
  readonly credit: string;
  readonly balance: string;
  readonly kinds: Readonly<Record<LineKind, string>>;
  readonly goodsVat: string;
  readonly commissionVat: string;
  readonly totalWithVat: string;
  readonly commissionWithVat: string;
  readonly nothing: string;
  readonly number: string;
  readonly separator: string;
  readonly footer: string;
  readonly page: (page: number, count: number) => string;
}

/** What a line of a statement is about (spec §3.6). */
export type LineKind = 'Order' | 'Commission' | 'Refund' | 'CommissionClawback' | 'Deposit' | 'Adjustment';

const en: Words = {
  title: 'Billing statement',
  titleOf: (number) => `Billing statement ${number}`,
  partner: 'Partner',
  partnerId: 'Partner id',
  partnerTax: 'Partner tax registration no.',
  platformTax: 'Platform tax registration no.',
  period: 'Period (UTC)',
  periodFromTo: (from, to) => [from, ' to ', to, ', exclusive'],
  generated: 'Generated (UTC)',
  environment: 'Environment',
  environments: { live: 'live', sandbox: 'sandbox' },
  opening: 'Opening balance',
  debits: 'Total debits',
  credits: 'Total credits',
  net: 'Net position',
  closing: 'Closing balance',
  allAmountsIn: (currency) => `All amounts in ${currency}.`,
  time: 'Time (UTC)',
  transaction: 'Transaction and reference',
  debit: 'Debit',
  credit: 'Credit',
  balance: 'Balance',
  kinds: {
    Order: 'Order',
    Commission: 'Commission',
    Refund: 'Refund',
    CommissionClawback: 'CommissionClawback',
    Deposit: 'Deposit',
    Adjustment: 'Adjustment',
  },
  goodsVat: 'goods VAT',
  commissionVat: 'commission VAT',
  totalWithVat: 'total with VAT',
  commissionWithVat: 'commission with VAT',
  nothing: 'No transactions in this period.',
  number: 'No.',
  separator: ', ',
  footer: 'Commercial billing document, not a legal tax invoice',
  page: (page, count) => `Page ${page} of ${count}`,
};

const ar: Words = {
  title: 'كشف حساب',
  titleOf: (number) => `كشف حساب ${number}`,
  partner: 'الشريك',
  partnerId: 'معرّف الشريك',
  partnerTax: 'الرقم الضريبي للشريك',
  platformTax: 'الرقم الضريبي للمنصة',
  period: 'الفترة (UTC)',
  periodFromTo: (from, to) => ['من ', from, ' إلى ما قبل ', to],
  generated: 'تاريخ الإصدار (UTC)',
  environment: 'البيئة',
  environments: { live: 'الإنتاج', sandbox: 'التجربة' },
  opening: 'الرصيد الافتتاحي',
  debits: 'إجمالي المدين',
  credits: 'إجمالي الدائن',
  net: 'الصافي',
  closing: 'الرصيد الختامي',
  allAmountsIn: (currency) => `جميع المبالغ بعملة ${currency}.`,
  time: 'الوقت (UTC)',
  transaction: 'العملية والمرجع',
  debit: 'مدين',
  credit: 'دائن',
  balance: 'الرصيد',
  kinds: {
    Order: 'طلب',
    Commission: 'عمولة',
    Refund: 'استرداد',
    CommissionClawback: 'استرجاع عمولة',
    Deposit: 'إيداع',
    Adjustment: 'تسوية',
  },
  goodsVat: 'ضريبة السلع',
  commissionVat: 'ضريبة العمولة',
  totalWithVat: 'الإجمالي مع الضريبة',
  commissionWithVat: 'العمولة مع الضريبة',
  nothing: 'لا توجد عمليات في هذه الفترة.',
  number: 'رقم',
  separator: '، ',
  footer: 'مستند محاسبي تجاري وليس فاتورة ضريبية',
  page: (page, count) => `صفحة ${page} من ${count}`,
};

/** A statement's words in each of its languages. */
export const WORDS: Readonly<Record<StatementLanguage, Words>> = { en, ar };

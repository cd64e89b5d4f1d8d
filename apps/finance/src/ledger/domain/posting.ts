import { decimal, Decimal } from '@reseller/money';
import type { LineAmounts } from '../../settlement/domain/settlement';
import type { ReferenceKind } from '../../wallet/domain/wallet-transaction';
import type { MoneyOperation } from './wallet-operation';

/** The accounts of the platform that a movement's other side is in. */
type PlatformAccount = 'cash' | 'sales' | 'vat' | 'commission' | 'refunds';

/** The VAT figures that an order's charge keeps (spec §3.6). */
interface OrderFigures {
  goods_vat: string;
  commission_vat: string;
  total_with_vat: string;
  commission_with_vat: string;
}

interface Line extends Partial<OrderFigures> {
  /** Absent on the wallet's lines. */
  account?: PlatformAccount;
  amount: Decimal;
  type: ReferenceKind;
}

/** A line as wallet_apply takes it; the wallet's come first and say what they and those before them come to. */
export interface PostedLine extends Partial<OrderFigures> {
  line: number;
  account?: PlatformAccount;
  amount: string;
  type: ReferenceKind;
  total?: string;
  debits?: number;
  /** What the debits among them come to, as a positive amount. */
  debited?: string;
}

/** What an operation does to a hold and to the accounts. */
export interface Posting {
  hold?: { change: 'capture' | 'refund'; key: string; amount: string };
  /** The lines sum to zero; none when there is nothing to post. */
  lines: PostedLine[];
  /** The sum of the wallet's lines, their number, how many of them are debits, and what those come to. */
  net: string;
  walletLines: number;
  debits: number;
  debited: string;
}

/** Which accounts an operation moves money between (spec §3.6). */
export function postingOf(operation: MoneyOperation): Posting {
  switch (operation.kind) {
    case 'capture': {
      const { reservationKey: key, amount } = operation;
      const charge = decimal(amount);
      return posting([own(charge.negated(), 'Order'), platform('sales', charge, 'Order')], {
        change: 'capture',
        key,
        amount,
      });
    }
    case 'refund': {
      const { reservationKey: key, amount } = operation;
      const refund = decimal(amount);
      return posting([own(refund, 'Refund'), platform('refunds', refund.negated(), 'Refund')], {
        change: 'refund',
        key,
        amount,
      });
    }
    case 'credit':
    case 'adjust': {
      const amount = decimal(operation.amount);
      const type = operation.kind === 'credit' ? 'Deposit' : 'Adjustment';
      return posting([own(amount, type), platform('cash', amount.negated(), type)]);
    }
    case 'settle':
      return settlement(operation.reservationKey, totalsOf(operation.lines));
    case 'refund_units':
      return unitsRefund(operation.reservationKey, totalsOf(operation.lines));
  }
}

function settlement(key: string, { goods, goodsVat, commission, commissionVat }: Totals): Posting {
  const charge = goods.plus(goodsVat);
  const credit = commission.plus(commissionVat);
  const figures: OrderFigures = {
    goods_vat: goodsVat.toFixed(2),
    commission_vat: commissionVat.toFixed(2),
    total_with_vat: charge.toFixed(2),
    commission_with_vat: credit.toFixed(2),
  };
  const lines = [
    { ...own(charge.negated(), 'Order'), ...figures },
    own(credit, 'Commission'),
    platform('sales', goods, 'Order'),
    platform('vat', goodsVat, 'Order'),
    platform('commission', commission.negated(), 'Commission'),
    platform('vat', commissionVat.negated(), 'Commission'),
  ];
  // An order that costs nothing needs no hold.
  return posting(lines, charge.isZero() ? undefined : { change: 'capture', key, amount: charge.toFixed(2) });
}

function unitsRefund(key: string, { goods, goodsVat, commission, commissionVat }: Totals): Posting {
  const refund = goods.plus(goodsVat);
  const clawback = commission.plus(commissionVat);
  const lines = [
    own(refund, 'Refund'),
    own(clawback.negated(), 'CommissionClawback'),
    platform('refunds', goods.negated(), 'Refund'),
    platform('vat', goodsVat.negated(), 'Refund'),
    platform('commission', commission, 'CommissionClawback'),
    platform('vat', commissionVat, 'CommissionClawback'),
  ];
  return posting(lines, refund.isZero() ? undefined : { change: 'refund', key, amount: refund.toFixed(2) });
}

const own = (amount: Decimal, type: ReferenceKind): Line => ({ amount, type });
const platform = (account: PlatformAccount, amount: Decimal, type: ReferenceKind): Line => ({
  account,
  amount,
  type,
});

/** Leaves out lines of nothing, and counts the wallet's. */
function posting(lines: readonly Line[], hold?: Posting['hold']): Posting {
  let net = new Decimal(0);
  let walletLines = 0;
  let debits = 0;
  let debited = new Decimal(0);
  const posted = lines
    .filter(({ amount }) => !amount.isZero())
    .map(({ amount, ...rest }, index): PostedLine => {
      const line = { line: index + 1, amount: amount.toFixed(2), ...rest };
      if (rest.account !== undefined) return line;
      net = net.plus(amount);
      walletLines += 1;
      if (amount.isNegative()) {
        debits += 1;
        debited = debited.minus(amount);
      }
      return { ...line, total: net.toFixed(2), debits, debited: debited.toFixed(2) };
    });
  return {
    ...(hold && { hold }),
    lines: posted,
    net: net.toFixed(2),
    walletLines,
    debits,
    debited: debited.toFixed(2),
  };
}

type Totals = Record<'goods' | 'goodsVat' | 'commission' | 'commissionVat', Decimal>;

function totalsOf(lines: readonly LineAmounts[]): Totals {
  const sum = (figure: keyof Totals): Decimal =>
    lines.reduce((total, line) => total.plus(line[figure]), new Decimal(0));
  return {
    goods: sum('goods'),
    goodsVat: sum('goodsVat'),
    commission: sum('commission'),
    commissionVat: sum('commissionVat'),
  };
}

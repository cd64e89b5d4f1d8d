import {
  CheckoutServiceService,
  CheckoutState,
  CheckoutStateServiceService,
  PricingMode,
  TaxClassification,
  type Checkout,
  type CheckoutLine,
} from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { defineRpc, type RpcService } from '@reseller/rpc';
import { v4 as uuid } from 'uuid';
import { FakeService } from './fake-service';

type State = 'begun' | 'committed' | 'cancelled';

/** Two warehouses: 2 × 100.00 with 15 % VAT and 1 × 40.00 without; 240.00 and 30.00 of VAT. */
const LINES: readonly Partial<CheckoutLine>[] = [
  {
    sku: 'A',
    quantity: 2,
    goods: '200.00',
    unitGoods: '100.0000',
    goodsVat: '30.00',
    commission: '20.00',
    commissionVat: '3.00',
    warehouseCode: 'RUH',
  },
  {
    sku: 'B',
    quantity: 1,
    goods: '40.00',
    unitGoods: '40.0000',
    goodsVat: '0.00',
    commission: '4.00',
    commissionVat: '0.60',
    warehouseCode: 'JED',
  },
];

/** The one cart of each partner and customer, as CheckoutService keeps it; it is full again after each order. */
export class FakeShop extends FakeService {
  protected readonly provider = 'scent-commerce';
  readonly checkouts = new Map<string, { state: State; checkout: Checkout | undefined; cart: string }>();
  readonly restocked = new Map<string, readonly { variantId: string; quantity: number }[]>();
  readonly givenBack = new Set<string>();

  count(state: State): number {
    return [...this.checkouts.values()].filter((one) => one.state === state).length;
  }

  protected services(): RpcService[] {
    return [
      this.states(),
      defineRpc(CheckoutServiceService, {
        beginCheckout: async ({ orderKey, partnerId, environment, customerRef }) => {
          const known = this.checkouts.get(orderKey);
          if (known?.state === 'cancelled') throw new AppError('CONFLICT_ORDER_STATE');
          if (known) return { checkout: known.checkout };
          const cart = [partnerId, environment, customerRef].join(' ');
          const isHeld = [...this.checkouts.values()].some(
            (one) => one.cart === cart && one.state === 'begun',
          );
          if (isHeld) throw new AppError('CONFLICT_CART_HAS_PENDING_ORDER');
          const checkout = priced(orderKey, customerRef);
          this.checkouts.set(orderKey, { state: 'begun', checkout, cart });
          return { checkout };
        },
        commitCheckout: async ({ orderKey }) => this.move(orderKey, 'committed'),
        cancelCheckout: async ({ orderKey }) => this.move(orderKey, 'cancelled'),
        restockUnits: async ({ restockKey, lines }) => {
          if (!this.restocked.has(restockKey)) this.restocked.set(restockKey, lines);
          return {};
        },
        giveBackRedemption: async ({ orderKey }) => {
          this.givenBack.add(orderKey);
          return {};
        },
      }),
    ];
  }

  private states(): RpcService {
    const states = {
      begun: CheckoutState.BEGUN,
      committed: CheckoutState.COMMITTED,
      cancelled: CheckoutState.CANCELLED,
    };
    return defineRpc(CheckoutStateServiceService, {
      listCheckoutStates: async ({ keys }) => ({
        checkouts: keys.flatMap((key) => {
          const known = this.checkouts.get(key);
          return known ? [{ key, state: states[known.state] }] : [];
        }),
      }),
      listCheckoutKeys: async ({ afterKey, limit }) => ({
        keys: [...this.checkouts]
          .filter(([key, { state }]) => key > afterKey && state !== 'cancelled')
          .map(([key]) => key)
          .sort()
          .slice(0, limit),
      }),
    });
  }

  private move(orderKey: string, to: 'committed' | 'cancelled'): Record<string, never> {
    const known = this.checkouts.get(orderKey);
    const isOpen = known ? known.state === 'begun' || known.state === to : to === 'cancelled';
    if (!isOpen) throw new AppError('CONFLICT_ORDER_STATE');
    this.checkouts.set(orderKey, { cart: '', checkout: undefined, ...known, state: to });
    return {};
  }
}

function priced(orderKey: string, customerRef: string | undefined): Checkout {
  return {
    orderKey,
    cartId: uuid(),
    customerRef,
    pricingMode: PricingMode.LIVE,
    lockId: undefined,
    lines: LINES.map((line) => ({
      variantId: uuid(),
      listPrice: '0.00',
      discountShare: '0.00',
      taxClassification: TaxClassification.STANDARD,
      vatRate: '0.15',
      totalWithVat: '0.00',
      commissionRate: '0.1',
      sizeMl: 50,
      scentName: 'Scent',
      ...line,
    })) as CheckoutLine[],
    totalAmount: '240.00',
    totalGoodsVat: '30.00',
    totalAmountWithVat: '270.00',
    totalCommission: '24.00',
    totalCommissionVat: '3.60',
    totalCommissionWithVat: '27.60',
    discount: undefined,
    currency: 'SAR',
    displayRate: undefined,
    partnerIsVatRegistered: true,
    partnerTaxRegistrationNumber: '310000000000003',
    partnerCommissionRate: undefined,
    begunAt: new Date(),
  };
}

import {
  CheckoutServiceService,
  CheckoutState,
  CheckoutStateServiceService,
  DiscountType,
  Environment,
  PricingMode,
  TaxClassification,
  type BeginCheckoutRequest,
  type Checkout,
  type CheckoutLine,
  type DisplayRate,
  type RestockLine,
} from '@reseller/contracts';
import { v7 as uuidv7 } from 'uuid';
import type { Partially } from '../fakes/complete-reply';
import { Fake } from '../fakes/fake';
import { keysAfter, ownerOf, refuse } from '../fakes/state';

const STATES = {
  begun: CheckoutState.BEGUN,
  committed: CheckoutState.COMMITTED,
  cancelled: CheckoutState.CANCELLED,
};
type State = keyof typeof STATES;
type Owner = Pick<BeginCheckoutRequest, 'partnerId' | 'environment'>;
type Named = Owner & Pick<BeginCheckoutRequest, 'orderKey'>;

interface Held {
  readonly owner: Owner;
  readonly cart: string;
  readonly checkout: Partially<Checkout> | undefined;
  readonly state: State;
}

/** Whose the checkouts are that were put without a call. */
export const NOBODY = uuidv7();
const NOBODYS: Held = {
  owner: { partnerId: NOBODY, environment: Environment.LIVE },
  cart: 'nobody',
  checkout: undefined,
  state: 'begun',
};

/** scent-commerce's checkouts in memory: every partner's cart is full again after each order. */
export class FakeShop extends Fake {
  private readonly checkouts = new Map<string, Held>();
  /** Units put back, by restock key. */
  readonly restocked = new Map<string, readonly RestockLine[]>();
  private readonly restockKeys = new Map<string, string[]>();
  /** Keys of orders whose discount was given back. */
  readonly givenBack = new Set<string>();
  /** Of the checkouts that begin from now on; one with a discount code has a rate in any case. */
  displayRate: DisplayRate | undefined;

  constructor() {
    super('scent-commerce');
    this.on(CheckoutServiceService, {
      beginCheckout: (request) => this.begin(request),
      commitCheckout: (request) => this.end(request, 'committed'),
      cancelCheckout: (request) => this.end(request, 'cancelled'),
      restockUnits: (request) => {
        this.requireCommitted(request);
        const { orderKey, restockKey, lines } = request;
        if (this.restocked.has(restockKey)) return {};
        this.restocked.set(restockKey, lines);
        this.restockKeys.set(orderKey, [...this.restocksOf(orderKey), restockKey]);
        return {};
      },
      giveBackRedemption: (request) => {
        this.requireCommitted(request);
        this.givenBack.add(request.orderKey);
        return {};
      },
    });
    this.on(CheckoutStateServiceService, {
      listCheckoutStates: ({ keys }) => ({
        checkouts: keys.flatMap((key) => {
          const known = this.checkouts.get(key);
          return known ? [{ key, state: STATES[known.state], ...known.owner }] : [];
        }),
      }),
      listCheckoutKeys: ({ afterKey, limit }) => ({
        keys: keysAfter(this.checkouts, afterKey, limit, 'cancelled'),
      }),
    });
  }

  /** How many checkouts stand so, of one owner or of all. */
  count(state: State, of?: Owner): number {
    const ofOwner = ({ owner }: Held): boolean => !of || ownerOf(owner) === ownerOf(of);
    return [...this.checkouts.values()].filter((one) => one.state === state && ofOwner(one)).length;
  }

  /** The restock keys under which units of one order were put back, in their order. */
  restocksOf(orderKey: string): readonly string[] {
    return this.restockKeys.get(orderKey) ?? [];
  }

  stateOf(key: string): State | undefined {
    return this.checkouts.get(key)?.state;
  }

  /** Sets where a checkout stands without a call; returns what puts it back as it was. */
  put(key: string, state: State): () => void {
    const was = this.checkouts.get(key);
    this.checkouts.set(key, { ...(was ?? NOBODYS), state });
    return () => void (was ? this.checkouts.set(key, was) : this.checkouts.delete(key));
  }

  private begin(request: BeginCheckoutRequest) {
    const known = this.own(request);
    if (known?.state === 'cancelled') refuse('CONFLICT_ORDER_STATE');
    if (known) return { checkout: known.checkout };
    const owner = ownedBy(request);
    const cart = `${ownerOf(owner)} ${request.customerRef ?? ''}`;
    if ([...this.checkouts.values()].some((one) => one.cart === cart && one.state === 'begun'))
      refuse('CONFLICT_CART_HAS_PENDING_ORDER');
    const checkout = { displayRate: this.displayRate, ...priced(request) };
    this.checkouts.set(request.orderKey, { owner, cart, checkout, state: 'begun' });
    return { checkout };
  }

  private own(request: Named): Held | undefined {
    const known = this.checkouts.get(request.orderKey);
    return known && ownerOf(known.owner) !== ownerOf(request)
      ? refuse('CONFLICT_IDEMPOTENCY_KEY_REUSED')
      : known;
  }

  private requireCommitted(request: Named): void {
    if (this.own(request)?.state !== 'committed') refuse('CONFLICT_ORDER_STATE');
  }

  private end(request: Named, state: 'committed' | 'cancelled') {
    const known = this.own(request);
    const mayEnd = known ? ['begun', state].includes(known.state) : state === 'cancelled';
    if (!mayEnd) refuse('CONFLICT_ORDER_STATE');
    this.checkouts.set(request.orderKey, { ...(known ?? { ...NOBODYS, owner: ownedBy(request) }), state });
    return {};
  }
}

const ownedBy = ({ partnerId, environment }: Owner): Owner => ({ partnerId, environment });

/** Units of one variant at 10 % commission, where nothing is discounted. */
function lineOf(quantity: number, price: number, isTaxed: boolean, more: Partial<CheckoutLine>) {
  const [goods, vatRate] = [quantity * price, isTaxed ? 0.15 : 0];
  return {
    variantId: uuidv7(),
    quantity,
    listPrice: price.toFixed(2),
    discountShare: '0.00',
    goods: goods.toFixed(2),
    unitGoods: price.toFixed(4),
    taxClassification: isTaxed ? TaxClassification.STANDARD : TaxClassification.ZERO,
    vatRate: String(vatRate),
    goodsVat: (goods * vatRate).toFixed(2),
    totalWithVat: (goods * (1 + vatRate)).toFixed(2),
    commissionRate: '0.1',
    commission: (goods * 0.1).toFixed(2),
    commissionVat: (goods * 0.015).toFixed(2),
    ...more,
  };
}

/** Two warehouses: 2 × 100.00 with 15 % VAT and 1 × 40.00 without; 270.00 to pay, 27.60 of commission. */
function priced({ orderKey, customerRef, discountCode: code }: BeginCheckoutRequest): Partially<Checkout> {
  return {
    orderKey,
    cartId: uuidv7(),
    customerRef,
    pricingMode: PricingMode.LIVE,
    lines: [
      lineOf(2, 100, true, { sku: 'SKU-A', warehouseCode: 'W1', sizeMl: 50, scentName: 'Layl' }),
      lineOf(1, 40, false, { sku: 'SKU-B', warehouseCode: 'W2', sizeMl: 100, scentName: 'Ward' }),
    ],
    totalAmount: '240.00',
    totalGoodsVat: '30.00',
    totalAmountWithVat: '270.00',
    totalCommission: '24.00',
    totalCommissionVat: '3.60',
    totalCommissionWithVat: '27.60',
    currency: 'SAR',
    partnerIsVatRegistered: true,
    partnerTaxRegistrationNumber: '310000000000003',
    begunAt: new Date(),
    // Given with the order, and not computed: the figures above are what a contract is about.
    ...(code === undefined
      ? {}
      : {
          discount: { code, discountType: DiscountType.FIXED_AMOUNT, value: '5.00', amount: '5.00' },
          displayRate: { currency: 'USD', rate: '0.266600' },
        }),
  };
}

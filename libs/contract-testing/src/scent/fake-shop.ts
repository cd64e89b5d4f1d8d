import {
  CheckoutServiceService,
  CheckoutState,
  CheckoutStateServiceService,
  DiscountType,
  PricingMode,
  TaxClassification,
  type BeginCheckoutRequest,
  type Checkout,
  type Environment,
  type RestockLine,
} from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { v7 as uuidv7 } from 'uuid';
import { Fake } from '../fakes/fake';
import type { Partially } from '../fakes/complete-reply';

type State = 'begun' | 'committed' | 'cancelled';

interface Held {
  readonly owner: string;
  readonly cart: string;
  readonly checkout: Partially<Checkout> | undefined;
  state: State;
}

interface Named {
  readonly partnerId: string;
  readonly environment: Environment;
  readonly orderKey: string;
}

const STATES = {
  begun: CheckoutState.BEGUN,
  committed: CheckoutState.COMMITTED,
  cancelled: CheckoutState.CANCELLED,
} as const;
const ownerOf = ({ partnerId, environment }: Named): string => `${environment} ${partnerId}`;

/** Two warehouses: 2 × 100.00 with 15 % VAT and 1 × 40.00 without; 270.00 to pay, 27.60 of commission. */
const lines = () => [
  {
    variantId: uuidv7(),
    sku: 'SKU-A',
    quantity: 2,
    listPrice: '100.00',
    discountShare: '0.00',
    goods: '200.00',
    unitGoods: '100.0000',
    taxClassification: TaxClassification.STANDARD,
    vatRate: '0.15',
    goodsVat: '30.00',
    totalWithVat: '230.00',
    commissionRate: '0.1',
    commission: '20.00',
    commissionVat: '3.00',
    warehouseCode: 'W1',
    sizeMl: 50,
    scentName: 'Layl',
  },
  {
    variantId: uuidv7(),
    sku: 'SKU-B',
    quantity: 1,
    listPrice: '40.00',
    discountShare: '0.00',
    goods: '40.00',
    unitGoods: '40.0000',
    taxClassification: TaxClassification.ZERO,
    vatRate: '0',
    goodsVat: '0.00',
    totalWithVat: '40.00',
    commissionRate: '0.1',
    commission: '4.00',
    commissionVat: '0.60',
    warehouseCode: 'W2',
    sizeMl: 100,
    scentName: 'Ward',
  },
];

/** scent-commerce's checkouts in memory: every partner's cart is full again after each order. */
export class FakeShop extends Fake {
  private readonly checkouts = new Map<string, Held>();
  /** Units put back, by restock key. */
  readonly restocked = new Map<string, readonly RestockLine[]>();
  /** Keys of orders whose discount was given back. */
  readonly givenBack = new Set<string>();

  constructor() {
    super('scent-commerce');
    this.on(CheckoutServiceService, {
      beginCheckout: (request) => this.begin(request),
      commitCheckout: (request) => this.end(request, 'committed'),
      cancelCheckout: (request) => this.end(request, 'cancelled'),
      restockUnits: (request) => {
        this.committed(request);
        if (!this.restocked.has(request.restockKey)) this.restocked.set(request.restockKey, request.lines);
        return {};
      },
      giveBackRedemption: (request) => {
        this.committed(request);
        this.givenBack.add(request.orderKey);
        return {};
      },
    });
    this.on(CheckoutStateServiceService, {
      listCheckoutStates: ({ keys }) => ({
        checkouts: keys.flatMap((key) => {
          const known = this.checkouts.get(key);
          return known ? [{ key, state: STATES[known.state] }] : [];
        }),
      }),
      listCheckoutKeys: ({ afterKey, limit }) => ({
        keys: [...this.checkouts]
          .filter(([key, { state }]) => key > afterKey && state !== 'cancelled')
          .map(([key]) => key)
          .sort()
          .slice(0, limit),
      }),
    });
  }

  count(state: State): number {
    return [...this.checkouts.values()].filter((one) => one.state === state).length;
  }

  /** Sets where a checkout stands without a call; answers what puts it back as it was. */
  put(key: string, state: State): () => void {
    const was = this.checkouts.get(key);
    this.checkouts.set(key, { ...(was ?? { owner: 'nobody', cart: 'nobody', checkout: undefined }), state });
    return () => void (was ? this.checkouts.set(key, was) : this.checkouts.delete(key));
  }

  private begin(request: BeginCheckoutRequest) {
    const known = this.own(request);
    if (known?.state === 'cancelled') throw new AppError('CONFLICT_ORDER_STATE');
    if (known) return { checkout: known.checkout };
    const cart = `${ownerOf(request)} ${request.customerRef ?? ''}`;
    if ([...this.checkouts.values()].some((one) => one.cart === cart && one.state === 'begun'))
      throw new AppError('CONFLICT_CART_HAS_PENDING_ORDER');
    const checkout = priced(request);
    this.checkouts.set(request.orderKey, { owner: ownerOf(request), cart, checkout, state: 'begun' });
    return { checkout };
  }

  private own(request: Named): Held | undefined {
    const known = this.checkouts.get(request.orderKey);
    if (known && known.owner !== ownerOf(request)) throw new AppError('CONFLICT_IDEMPOTENCY_KEY_REUSED');
    return known;
  }

  private committed(request: Named): void {
    if (this.own(request)?.state !== 'committed') throw new AppError('CONFLICT_ORDER_STATE');
  }

  private end(request: Named, to: 'committed' | 'cancelled') {
    const known = this.own(request);
    const mayEnd = known ? known.state === 'begun' || known.state === to : to === 'cancelled';
    if (!mayEnd) throw new AppError('CONFLICT_ORDER_STATE');
    const barred = { owner: ownerOf(request), cart: '', checkout: undefined };
    this.checkouts.set(request.orderKey, { ...(known ?? barred), state: to });
    return {};
  }
}

function priced({ orderKey, customerRef, discountCode: code }: BeginCheckoutRequest): Partially<Checkout> {
  return {
    orderKey,
    cartId: uuidv7(),
    customerRef,
    pricingMode: PricingMode.LIVE,
    lines: lines(),
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

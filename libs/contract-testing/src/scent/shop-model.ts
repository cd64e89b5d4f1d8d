import { v7 as uuidv7 } from 'uuid';
import type { Message } from '../contract';
import { refuse, Fake } from '../fake';

interface Held {
  readonly owner: string;
  readonly cart: string;
  readonly checkout: Message | undefined;
  state: 'BEGUN' | 'COMMITTED' | 'CANCELLED';
}

const text = (value: unknown): string => String(value ?? '');
const ownerOf = ({ partner_id, environment }: Message): string => `${text(environment)} ${text(partner_id)}`;

/** Two warehouses: 2 × 100.00 with 15 % VAT and 1 × 40.00 without; 270.00 to pay, 27.60 of commission. */
const lines = (): Message[] => [
  {
    variant_id: uuidv7(),
    sku: 'SKU-A',
    quantity: 2,
    list_price: '100.00',
    discount_share: '0.00',
    goods: '200.00',
    unit_goods: '100.0000',
    tax_classification: 'TAX_CLASSIFICATION_STANDARD',
    vat_rate: '0.15',
    goods_vat: '30.00',
    total_with_vat: '230.00',
    commission_rate: '0.1',
    commission: '20.00',
    commission_vat: '3.00',
    warehouse_code: 'W1',
    size_ml: 50,
    scent_name: 'Layl',
  },
  {
    variant_id: uuidv7(),
    sku: 'SKU-B',
    quantity: 1,
    list_price: '40.00',
    discount_share: '0.00',
    goods: '40.00',
    unit_goods: '40.0000',
    tax_classification: 'TAX_CLASSIFICATION_ZERO',
    vat_rate: '0',
    goods_vat: '0.00',
    total_with_vat: '40.00',
    commission_rate: '0.1',
    commission: '4.00',
    commission_vat: '0.60',
    warehouse_code: 'W2',
    size_ml: 100,
    scent_name: 'Ward',
  },
];

/** scent-commerce's checkouts in memory: every partner's cart is full again after each order. */
export class ShopModel {
  private readonly checkouts = new Map<string, Held>();
  /** Units put back, by restock key. */
  readonly restocked = new Map<string, unknown>();

  /** The fake that serves it. */
  fake(): Fake {
    return new Fake({
      'CheckoutService.BeginCheckout': (request) => this.begin(request),
      'CheckoutService.CommitCheckout': (request) => this.end(request, 'COMMITTED'),
      'CheckoutService.CancelCheckout': (request) => this.end(request, 'CANCELLED'),
      'CheckoutService.RestockUnits': (request) => {
        this.committed(request);
        const key = text(request['restock_key']);
        if (!this.restocked.has(key)) this.restocked.set(key, request['lines']);
        return {};
      },
      'CheckoutService.GiveBackRedemption': (request) => {
        this.committed(request);
        return {};
      },
      'CheckoutStateService.ListCheckoutStates': ({ keys }) => ({
        checkouts: (keys as string[]).flatMap((key) => {
          const known = this.checkouts.get(key);
          return known ? [{ key, state: `CHECKOUT_STATE_${known.state}` }] : [];
        }),
      }),
      'CheckoutStateService.ListCheckoutKeys': ({ after_key, limit }) => ({
        keys: [...this.checkouts]
          .filter(([key, { state }]) => key > text(after_key) && state !== 'CANCELLED')
          .map(([key]) => key)
          .sort()
          .slice(0, Number(limit)),
      }),
    });
  }

  private begin(request: Message): Message {
    const known = this.own(request);
    if (known?.state === 'CANCELLED' || (known && !known.checkout)) refuse('CONFLICT_ORDER_STATE');
    if (known) return { checkout: known.checkout };
    const cart = `${ownerOf(request)} ${text(request['customer_ref'])}`;
    if ([...this.checkouts.values()].some((one) => one.cart === cart && one.state === 'BEGUN'))
      refuse('CONFLICT_CART_HAS_PENDING_ORDER');
    const { order_key, customer_ref, discount_code: code } = request;
    const checkout = {
      order_key,
      cart_id: uuidv7(),
      ...(customer_ref === undefined ? {} : { customer_ref }),
      pricing_mode: 'PRICING_MODE_LIVE',
      lines: lines(),
      total_amount: '240.00',
      total_goods_vat: '30.00',
      total_amount_with_vat: '270.00',
      total_commission: '24.00',
      total_commission_vat: '3.60',
      total_commission_with_vat: '27.60',
      currency: 'SAR',
      partner_is_vat_registered: true,
      partner_tax_registration_number: '310000000000003',
      begun_at: new Date(),
      // Told with the order, and not computed: the figures above are what a contract is about.
      ...(code === undefined
        ? {}
        : {
            discount: { code, discount_type: 'DISCOUNT_TYPE_FIXED_AMOUNT', value: '5.00', amount: '5.00' },
            display_rate: { currency: 'USD', rate: '0.266600' },
          }),
    };
    this.checkouts.set(text(order_key), { owner: ownerOf(request), cart, checkout, state: 'BEGUN' });
    return { checkout };
  }

  private own(request: Message): Held | undefined {
    const known = this.checkouts.get(text(request['order_key']));
    if (known && known.owner !== ownerOf(request)) refuse('CONFLICT_IDEMPOTENCY_KEY_REUSED');
    return known;
  }

  private committed(request: Message): void {
    if (this.own(request)?.state !== 'COMMITTED') refuse('CONFLICT_ORDER_STATE');
  }

  private end(request: Message, to: 'COMMITTED' | 'CANCELLED'): Message {
    const known = this.own(request);
    const mayEnd = known ? known.state === 'BEGUN' || known.state === to : to === 'CANCELLED';
    if (!mayEnd) refuse('CONFLICT_ORDER_STATE');
    if (known) known.state = to;
    else {
      const barred = { owner: ownerOf(request), cart: '', checkout: undefined, state: to };
      this.checkouts.set(text(request['order_key']), barred);
    }
    return {};
  }
}

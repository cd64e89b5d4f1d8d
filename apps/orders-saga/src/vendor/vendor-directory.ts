import type { Order, OrderEnvironment } from '../order/domain/order';
import { VendorUnreachableError, type Vendor, type VendorOrder } from './domain/vendor';

/** What a live vendor sells, and before which others it is asked (a lower priority goes first). */
export interface LiveVendor {
  readonly vendor: Vendor;
  readonly products: readonly VendorOrder['product'][];
  /** Global ids, or `*` for all. */
  readonly geoScopes: readonly string[];
  readonly priority: number;
}

/** Which vendor gets which order. */
export class VendorDirectory {
  private readonly live: readonly LiveVendor[];
  private readonly byName: ReadonlyMap<string, Vendor>;

  constructor(
    private readonly sandbox: Vendor,
    live: readonly LiveVendor[],
  ) {
    this.live = [...live].sort((one, other) => one.priority - other.priority);
    this.byName = new Map(
      [sandbox, ...live.map(({ vendor }) => vendor)].map((vendor) => [vendor.name, vendor]),
    );
  }

  /** The vendor for a new order; undefined when none sells it. Sandbox orders always go to the simulator. */
  choose(
    environment: OrderEnvironment,
    product: VendorOrder['product'],
    geoScope: string,
  ): Vendor | undefined {
    if (environment === 'sandbox') return this.sandbox;
    return this.live.find(
      ({ products, geoScopes }) =>
        products.includes(product) && (geoScopes.includes('*') || geoScopes.includes(geoScope)),
    )?.vendor;
  }

  /** The vendor an order was given to when it was made; one that is no longer configured cannot be reached. */
  vendorOf(order: Order): Vendor {
    const vendor = this.byName.get(order.vendorName ?? '');
    return vendor ?? unreachable(order.vendorName ?? 'none');
  }
}

function unreachable(name: string): Vendor {
  const fail = (): Promise<never> =>
    Promise.reject(new VendorUnreachableError(`vendor ${name} is not configured`));
  return { name, submit: fail, inquire: fail };
}

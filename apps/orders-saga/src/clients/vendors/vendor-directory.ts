import type { Order, OrderEnvironment } from '../../order/domain/order';
import { VendorNotAcceptedError, VendorUnreachableError, type Vendor } from './domain/vendor';
import { observeVendor, type VendorCall } from './observe-vendor';

/** What a live vendor sells, and before which others it is called (a lower priority goes first). */
export interface LiveVendor {
  readonly vendor: Vendor;
  /** Names, or `*` for all that vendors deliver. */
  readonly products: readonly string[];
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

  /** The same vendors, each of whose calls is reported with its environment once it has ended. */
  observedBy(report: (environment: OrderEnvironment, call: VendorCall) => void): VendorDirectory {
    return new VendorDirectory(
      observeVendor(this.sandbox, (call) => report('sandbox', call)),
      this.live.map((one) => ({ ...one, vendor: observeVendor(one.vendor, (call) => report('live', call)) })),
    );
  }

  /** The names of all that may get orders of an environment. */
  namesIn(environment: OrderEnvironment): readonly string[] {
    return environment === 'sandbox' ? [this.sandbox.name] : this.live.map(({ vendor }) => vendor.name);
  }

  /** The vendor for a new order; undefined when none sells it. Sandbox orders always go to the simulator. */
  choose(environment: OrderEnvironment, product: string, geoScope: string): Vendor | undefined {
    return this.sellers(environment, product, geoScope)[0];
  }

  /** The first vendor that sells what an order asks for and is none of these; undefined when there is none. */
  chooseFor(
    order: Pick<Order, 'environment' | 'product' | 'geoScopeGlobalId'>,
    notThese: readonly string[] = [],
  ): Vendor | undefined {
    const { environment, product, geoScopeGlobalId } = order;
    return this.sellers(environment, product, geoScopeGlobalId ?? '').find(
      ({ name }) => !notThese.includes(name),
    );
  }

  private sellers(environment: OrderEnvironment, product: string, geoScope: string): readonly Vendor[] {
    if (environment === 'sandbox') return [this.sandbox];
    const sells = ({ products, geoScopes }: LiveVendor): boolean =>
      includes(products, product) && includes(geoScopes, geoScope);
    return this.live.filter(sells).map(({ vendor }) => vendor);
  }

  /** The vendor that has the order's open intent; one that is no longer configured cannot be reached. */
  vendorOf(order: Order): Vendor {
    const vendor = this.byName.get(order.vendorName ?? '');
    return vendor ?? unreachable(order.vendorName ?? 'none');
  }
}

/** Whether a list of settings names it, or everything. */
const includes = (list: readonly string[], name: string): boolean =>
  list.includes('*') || list.includes(name);

function unreachable(name: string): Vendor {
  const message = `vendor ${name} is not configured`;
  return {
    name,
    submit: () => Promise.reject(new VendorNotAcceptedError(message)),
    inquire: () => Promise.reject(new VendorUnreachableError(message)),
  };
}

import type {
  GetOrderTimelineResponse,
  Order as OrderMessage,
  OrderFunds,
  OrderStatusChange,
  ResolveOrderRequest,
} from '@reseller/contracts';
import type { PartnerScope } from '@reseller/rpc';
import type { PassCrashPoint } from '@reseller/service-kit';
import type { Funds as FundsClient } from '../clients/finance/funds';
import type { Settlements } from '../clients/finance/settlements';
import type { Checkouts } from '../clients/scent-commerce/checkouts';
import type { DeliveryShapes, VendorDelivery, VendorItem } from '../clients/vendors/domain/vendor';
import type { VendorDirectory } from '../clients/vendors/vendor-directory';
import type { GeoScope } from '../geo-scope/domain/geo-scope';
import type { GeoScopeRepository } from '../geo-scope/geo-scope.repository';
import type { DecisionKind, DecisionRule, OperatorCall } from '../operations/domain/decision';
import type { StoredProduct } from '../order/details-table';
import type { NewOrder, Order, OrderDetails, OrderStatus } from '../order/domain/order';
import type { JournalEntry } from '../saga/domain/journal';
import type { RecipientHashes } from '../recipient/recipient-hashes';
import type { Funds, OrderState } from '../reconciliation/domain/expected-records';
import type { SagaDefinition } from '../saga/saga-plan';
import type { Details } from '../saga/domain/step-outcome';
import type { EsimProductRepository } from './esim/esim-product.repository';
import type { OrderTaskRepository } from './scent/fulfillment/order-task.repository';
import type { TaskRunner } from './scent/fulfillment/task-runner';
import type { ScentOrderRepository } from './scent/scent-order.repository';
import type { VendorTimes } from './vendor-order/vendor-times';

/** What the code of products works with; wired once, in container.ts. */
export interface ProductDeps {
  readonly geoScopes: GeoScopeRepository;
  readonly esimProducts: EsimProductRepository;
  readonly scents: ScentOrderRepository;
  readonly tasks: OrderTaskRepository;
  readonly runner: TaskRunner;
  readonly funds: FundsClient;
  readonly recipients: RecipientHashes;
  readonly settlements: Settlements;
  readonly checkouts: Checkouts;
  readonly vendors: VendorDirectory;
  readonly vendorTimes: VendorTimes;
  readonly passCrashPoint: PassCrashPoint;
}

/**
 * One product, whole. All other code knows orders, and has from the order's product what differs between them; so a new
 * product is a folder and a line in index.ts.
 */
export interface Product extends SagaDefinition<ProductDeps>, StoredProduct {
  /** As stored with its orders, and as vendors know it. */
  readonly name: string;
  /** Two capital letters in front of its orders' global ids. */
  readonly idPrefix: string;
  /** The statuses in which a repeated create is not answered with the order yet (spec §4.2, §7.2). */
  readonly underway: readonly OrderStatus[];
  /** What an operator can decide of its orders by their saga. */
  readonly decisions: Readonly<Partial<Record<DecisionKind, DecisionRule>>>;
  /** Cancels an order otherwise than by its saga, once all effects are complete. */
  readonly cancelOrder?: (deps: ProductDeps, order: Order, call: OperatorCall) => Promise<void>;
  /** The order with every field a partner may see. */
  readonly toMessage: (deps: ProductDeps, order: Order) => Promise<OrderMessage>;
  /** What operators see beside an order's timeline. */
  readonly toTimeline?: (deps: ProductDeps, order: Order) => Promise<Partial<GetOrderTimelineResponse>>;
  /** What happened to parts of an order that have a status of their own, for its partner. */
  readonly partChanges?: (deps: ProductDeps, order: Order) => Promise<OrderStatusChange[]>;
  /** What the ledger may hold of an order that stands so, for the reconciliation. */
  readonly allowedFunds: (order: OrderState) => Funds[];
  /** What is to be refunded of an order, where the ledger has something else. */
  readonly missedRefund?: (order: OrderState, record: OrderFunds | undefined) => string | undefined;
  /** Of a product that vendors deliver. */
  readonly vendor?: VendorTerms;
}

/** What only a product that vendors deliver has. */
export interface VendorTerms {
  readonly isSoldIn: (geoScope: GeoScope) => boolean;
  /** The fields of the vendor contract that say what is to be delivered. */
  readonly toItem: (order: Order) => VendorItem;
  /** Whom an order is for, of a product whose orders for one recipient may be limited (spec §17.5). */
  readonly recipientOf?: (order: Order) => string;
  /** Where a delivery brings something that is to be kept, such as a code. */
  readonly delivery?: DeliveryTerms;
}

/** What becomes of what a vendor delivers. */
interface DeliveryTerms {
  /** The fields of the vendor contract's response that hold it. */
  readonly shapes: DeliveryShapes;
  /** The journal's note of it, kept there until the charge is taken (spec §4.8). */
  readonly toNote: (delivery: VendorDelivery) => Details;
  /** What the order gets of it with its completion. */
  readonly toDetails: (journal: readonly JournalEntry[]) => OrderDetails;
  /** What an operator's decision notes of it when the order is resolved as Completed (spec §12). */
  readonly noteResolution: (
    deps: ProductDeps,
    order: Order,
    journal: readonly JournalEntry[],
    request: ResolveOrderRequest,
  ) => Promise<Details>;
}

/** What a create of any product says. */
export interface PlaceRequest {
  readonly externalReference: string;
  readonly sagaId?: string | undefined;
}

/** What a product's rules add to an order. */
export type Admission = Pick<NewOrder, 'geoScopeGlobalId' | 'amount' | 'currency' | 'details' | 'vendorName'>;

/** A product as orders of it are placed; `Request` is its create. */
export interface PlaceableProduct<Request extends PlaceRequest> extends Product {
  /** The product's own rules for a new order; throws their codes. */
  readonly admit: (deps: ProductDeps, scope: PartnerScope, request: Request) => Promise<Admission>;
}

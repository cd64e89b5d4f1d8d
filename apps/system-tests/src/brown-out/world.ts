import type { OperatorClient, TestPartner } from '../clients/operator-client';
import type { ApiResponse } from '../clients/response';
import { Shelf, type ScentOrder } from '../clients/scents';
import { send, type SendOptions } from '../clients/response';
import { startReceiver, type WebhookReceiver } from '../clients/webhook-receiver';
import type { VendorOrder } from '../clients/resources';
import type { EnvironmentName } from '../platform/platform-file';

/** SAR in each wallet. */
export const DEPOSIT = 1_000_000;
const EVENT_TYPES = ['order.completed', 'order.failed', 'order.cancelled'];
/** Not those that others make scarce. */
const FIRST_VARIANT = 50;
const STOCK = 100_000;

/** Units that every order of scents takes from the shelf. */
export const UNITS_OF_A_CART = 2;

/** An order that was sent, and the first response to it. */
export interface SentOrder {
  readonly client: EnvironmentName | 'scents';
  readonly reference: string;
  readonly path: string;
  readonly body: object;
  acknowledged?: VendorOrder | ScentOrder;
}

/** The partners of one cell: one that sells top-ups and eSIMs, one that sells scents, and what they sent. */
export class World {
  readonly sent: SentOrder[] = [];
  /** Customers of scents whose carts may be checked out. */
  readonly filled: string[] = [];
  private readonly tokens = new Map<string, string>();
  private count = 0;

  private constructor(
    readonly name: string,
    readonly gatewayUrl: string,
    readonly vendors: TestPartner,
    readonly scents: TestPartner,
    readonly receiver: WebhookReceiver,
    readonly subscriptionId: string,
    readonly shelf: Shelf,
    readonly variantId: string,
    readonly stockBefore: number,
  ) {}

  /** Makes the partners, their wallets, subscriptions and stock enough for all. */
  static async create(name: string, gatewayUrl: string, operator: OperatorClient): Promise<World> {
    const receiver = await startReceiver();
    const shelf = new Shelf(operator);
    const variant = (await shelf.onOffer())[FIRST_VARIANT]!;
    await shelf.set(variant.id, { stockOnHand: STOCK });
    const [vendors, scents] = [
      await operator.newPartner({ deposit: DEPOSIT }),
      await operator.newPartner({ deposit: DEPOSIT }),
    ];
    let subscriptionId = '';
    for (const client of [vendors.live, vendors.sandbox, scents.live]) {
      const body = { url: receiver.url, eventTypes: EVENT_TYPES };
      const made = await client.call<{ subscription: { id: string } }>('/webhooks', { body });
      if (made.status !== 201) throw new Error(`no subscription: ${made.text}`);
      subscriptionId ||= made.payload.subscription.id;
    }
    const world = new World(
      name,
      gatewayUrl,
      vendors,
      scents,
      receiver,
      subscriptionId,
      shelf,
      variant.id,
      STOCK,
    );
    world.tokens.set('live', await vendors.live.accessToken());
    world.tokens.set('sandbox', await vendors.sandbox.accessToken());
    world.tokens.set('scents', await scents.live.accessToken());
    return world;
  }

  nextReference(): string {
    this.count += 1;
    return `${this.name} ${this.count}`;
  }

  /** One call with the token of the cell's start: a program that holds one needs identity for nothing. */
  call<T>(client: SentOrder['client'], path: string, options: SendOptions = {}): Promise<ApiResponse<T>> {
    return send<T>(`${this.gatewayUrl}/api/v1${path}`, {
      ...options,
      headers: { authorization: `Bearer ${this.tokens.get(client)}` },
    });
  }

  /** A token anew. */
  exchange(): Promise<ApiResponse<unknown>> {
    return send(`${this.gatewayUrl}/api/v1/auth/token`, { body: this.vendors.credentials.live });
  }

  /** Sends an order and keeps the response. */
  async place<T extends VendorOrder | ScentOrder>(
    order: Omit<SentOrder, 'acknowledged'>,
  ): Promise<ApiResponse<T>> {
    const kept: SentOrder = { ...order };
    this.sent.push(kept);
    const response = await this.repeat<T>(kept);
    if (response.status === 200) kept.acknowledged = response.payload;
    return response;
  }

  /** Sends the same body under the same reference. */
  repeat<T>({ client, path, body }: SentOrder): Promise<ApiResponse<T>> {
    return this.call<T>(client, path, { body });
  }
}

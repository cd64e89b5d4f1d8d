import { setTimeout as pause } from 'node:timers/promises';
import type { ApiResponse } from '../clients/response';
import { emailTagged, newEsim, newTopup, phoneEnding } from '../clients/bodies';
import type { TestPartner } from '../clients/operator-client';
import type { Page } from '../clients/resources';
import { addToCart, keyed, newScentOrder, orderScents, Shelf, type ScentOrder } from '../clients/scents';
import { startReceiver, type WebhookReceiver } from '../clients/webhook-receiver';
import { PHONE_ENDS } from '../crash/products';
import type { PlatformDescription } from '../platform/platform-file';
import { Random } from '../storm/random';
import { FeedReader } from './feed-reader';
import { PAUSE_MS, type PauseMs } from './options';
import { Fleet, FleetOperatorClient, FleetPartnerClient } from './fleet-client';

const DEPOSIT = 5_000_000;
/** Longer than any fault of a drill lasts. */
const PATIENCE_MS = 120_000;
/** What the receiver is subscribed to. */
export const EVENT_TYPES = [
  'order.completed',
  'order.failed',
  'order.cancelled',
  'order.returned',
  'order.fulfilment-updated',
  'order.return-request.updated',
];
const MOSTLY_WELL = ['success', 'success', 'success', 'success', 'success', 'success', 'success'] as const;
const VENDOR_ENDS = [...MOSTLY_WELL, 'pending', 'pending', 'fail', 'slow'] as const;

/** Partners' programs and an operator at work over every gateway and backoffice, with webhooks going to a real receiver and the feed read. */
export class SteadyLoad {
  readonly gateways: Fleet;
  readonly backoffices: Fleet;
  readonly operator: FleetOperatorClient;
  /** References for which an order was acknowledged, with its global id. */
  readonly acknowledged = new Map<string, string>();
  vendorPartner!: TestPartner;
  scentPartner!: TestPartner;
  vendorClient!: FleetPartnerClient;
  scentClient!: FleetPartnerClient;
  receiver: WebhookReceiver | undefined;
  feeds: readonly FeedReader[] = [];
  private variants: string[] = [];
  private readonly delivered: ScentOrder[] = [];
  private isOver = false;
  private work: Promise<unknown> = Promise.resolve();
  private sent = 0;
  /** What a client saw that it should not, beside failures of single requests. */
  readonly surprises: string[] = [];

  constructor(
    platform: PlatformDescription,
    private readonly seed: number,
    private readonly workers: number,
    private readonly pauseMs: PauseMs = PAUSE_MS,
  ) {
    const urls = (service: string): string[] =>
      (platform.instances[service] ?? []).map(({ url }) => url ?? '');
    this.gateways = new Fleet(urls('gateway'));
    this.backoffices = new Fleet(urls('backoffice'));
    this.operator = new FleetOperatorClient(platform, this.backoffices);
  }

  /** Makes the partners, their subscriptions and stock enough for all. */
  async prepare(): Promise<void> {
    const receiver = (this.receiver = await startReceiver());
    this.vendorPartner = await this.operator.newPartner({ deposit: DEPOSIT });
    this.scentPartner = await this.operator.newPartner({ deposit: DEPOSIT });
    this.vendorClient = new FleetPartnerClient(this.gateways, this.vendorPartner.credentials.sandbox);
    this.scentClient = new FleetPartnerClient(this.gateways, this.scentPartner.credentials.sandbox);
    // A token for each gateway: what a busy machine refuses before anything is killed is sent again, and is no failure.
    for (const client of [this.vendorClient, this.scentClient])
      for (let n = 0; n < this.gateways.urls.length; n += 1) await client.balance();
    for (const client of [this.vendorClient, this.scentClient]) {
      const body = { url: receiver.url, eventTypes: EVENT_TYPES };
      const headers = keyed(this.reference());
      const made = await this.untilServed(() => client.call('/webhooks', { body, headers }));
      if (made.status !== 201) throw new Error(`no subscription: ${made.text}`);
    }
    this.gateways.failures.length = 0;
    this.feeds = [new FeedReader(this.vendorClient), new FeedReader(this.scentClient)];
    const shelf = new Shelf(this.operator);
    // Not those that storms over carts make scarce.
    const goods = (await shelf.onOffer()).slice(40, 46);
    for (const { id } of goods) await shelf.set(id, { stockOnHand: 50_000 });
    this.variants = goods.map(({ id }) => id);
  }

  start(): void {
    const workers = Array.from({ length: this.workers }, (_, at) =>
      this.run(new Random(this.seed * 31 + at), at),
    );
    for (const feed of this.feeds) feed.start();
    this.work = Promise.all([...workers, this.operate(new Random(this.seed * 37))]);
  }

  /** Ends the load; resolves when every client has its response. */
  async stop(): Promise<void> {
    this.isOver = true;
    await this.work;
    await Promise.all(this.feeds.map((feed) => feed.stop()));
  }

  private async run(random: Random, at: number): Promise<void> {
    while (!this.isOver) {
      await this.step(random, at).catch((error: Error) => this.surprises.push(error.message));
      await pause(random.between(...this.pauseMs));
    }
  }

  private async step(random: Random, at: number): Promise<void> {
    const dice = random.next();
    if (dice < 0.45) return this.orderTopup(random);
    if (dice < 0.6) return this.orderEsim(random);
    if (dice < 0.8) return this.checkOut(random, at);
    await this.untilServed(() => this.vendorClient.call('/wallet/balance'));
    await this.untilServed(() => this.scentClient.call('/orders?pageSize=5'));
  }

  private reference(): string {
    this.sent += 1;
    return `steady-${this.seed}-${this.sent}`;
  }

  private async orderTopup(random: Random): Promise<void> {
    const phoneNumber = phoneEnding(PHONE_ENDS[random.pick(VENDOR_ENDS)]);
    const body = newTopup({ externalReference: this.reference(), phoneNumber });
    await this.place(body.externalReference, () => this.vendorClient.topup(body));
  }

  private async orderEsim(random: Random): Promise<void> {
    const end = random.pick(VENDOR_ENDS);
    const email = emailTagged(end === 'success' ? undefined : end);
    const body = newEsim({ externalReference: this.reference(), email });
    await this.place(body.externalReference, () => this.vendorClient.esim(body));
  }

  private async checkOut(random: Random, at: number): Promise<void> {
    const customerRef = `customer ${at} of ${this.reference()}`;
    let units = 0;
    for (let line = random.between(1, 3); line > 0; line -= 1) {
      const quantity = random.between(1, 4);
      const key = this.reference();
      await this.untilServed(() =>
        addToCart(this.scentClient, this.variants[line]!, quantity, customerRef, key),
      );
      units += quantity;
    }
    const body = newScentOrder({ externalReference: this.reference(), customerRef });
    const order = await this.place(body.externalReference, () => orderScents(this.scentClient, body));
    if (!order || !('fulfillmentGroups' in order)) return;
    this.delivered.push(order as ScentOrder);
    const ordered = (order as ScentOrder).lines.reduce((sum, line) => sum + line.quantity, 0);
    // However often an add was repeated, it counts once (spec §1.11).
    if (ordered !== units) this.surprises.push(`${customerRef}: ${ordered} units in place of ${units}`);
  }

  /** Ships, delivers and takes back some of what was bought. */
  private async operate(random: Random): Promise<void> {
    while (!this.isOver) {
      const order = this.delivered.shift();
      if (order) await this.fulfil(order, random).catch((error: Error) => this.surprises.push(error.message));
      await pause(150);
    }
  }

  private async fulfil(order: ScentOrder, random: Random): Promise<void> {
    const group = order.fulfillmentGroups[0];
    if (!group) return;
    if (random.chance(0.3)) return this.move(group.id, 'cancel');
    await this.move(group.id, 'ship');
    await this.move(group.id, 'deliver');
    if (random.chance(0.5)) return;
    const line = order.lines.find(({ fulfillmentGroupId }) => fulfillmentGroupId === group.id);
    if (!line) return;
    const path = `/scent/orders/${order.id}/return-request`;
    const lines = [{ scentOrderLineId: line.id, quantity: 1, reasonCode: 'Damaged' }];
    const body = { fulfillmentGroupId: group.id, lines };
    const headers = keyed(this.reference());
    const requested = await this.untilServed(() => this.scentClient.call(path, { body, headers }));
    if (requested.status !== 200) this.surprises.push(`return request of ${order.id}: ${requested.text}`);
    const { items } = await this.untilServed(() =>
      this.operator.get<Page<{ id: string; scentOrderId: string }>>(
        '/return-requests?status=Pending&pageSize=100',
      ),
    );
    const request = items.find(({ scentOrderId }) => scentOrderId === order.id);
    if (request)
      await this.untilServed(() =>
        this.operator.call(`/return-requests/${request.id}/approve`, { body: {} }),
      );
  }

  private async move(groupId: string, verb: 'ship' | 'deliver' | 'cancel'): Promise<void> {
    await this.untilServed(() => this.operator.call(`/fulfillment-groups/${groupId}/${verb}`, { body: {} }));
  }

  /** Repeats a create until its response is final, as spec §1.10 has partners do; returns the order. */
  private async place<T extends { orderGlobalId: string }>(
    reference: string,
    create: () => Promise<ApiResponse<T>>,
  ): Promise<T | undefined> {
    const response = await this.untilServed(create);
    if (response.status !== 200) {
      this.surprises.push(`${reference}: ${response.text}`);
      return undefined;
    }
    this.acknowledged.set(reference, response.payload.orderGlobalId);
    return response.payload;
  }

  /** Repeats a call that got no response, or by 503 or "in progress"; every such response is noted by the fleet. */
  private async untilServed<T>(call: () => Promise<T>): Promise<T> {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        const response = await call();
        if (!mustRepeat(response) || performance.now() > until) return response;
      } catch (error) {
        if (performance.now() > until) throw error;
      }
      await pause(150);
    }
  }
}

function mustRepeat(response: unknown): boolean {
  const { status, state } = (response ?? {}) as Partial<ApiResponse<unknown>>;
  if (status === undefined) return false;
  return (
    status >= 500 ||
    state === 'CONFLICT_ORDER_IN_PROGRESS' ||
    state === 'CONFLICT_REQUEST_IN_PROGRESS' ||
    state === 'CONFLICT_CART_HAS_PENDING_ORDER'
  );
}

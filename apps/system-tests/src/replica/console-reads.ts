import { setTimeout as pause } from 'node:timers/promises';
import { OperatorClient } from '../clients/operator-client';
import type { PlatformDescription } from '../platform/platform-file';
import type { Load, Placed } from '../restore/load';

/** How far back an order is looked for, by what is accepted: further, so that one that is missing shows. */
const LOOK_BACK = 1.5;
const REST_MS = 5;
const STALE = { 'cache-control': 'max-stale' };

/** An operator's list and figures, read without a pause by a program that accepts older ones, and compared with the responses that clients had. */
export class ConsoleReads {
  reads = 0;
  /** Orders that were acknowledged and not shown yet, and the longest that one had been acknowledged then. */
  missing = 0;
  oldestMissingMs = 0;
  slowestMs = 0;
  /** What was shown that may not be: too old, or not a success. */
  readonly faults: string[] = [];
  private readonly operator: OperatorClient;
  private readonly from = new Date(Date.now() - 3_600_000);
  private isOver = false;
  private readonly workers: Promise<void>[];

  constructor(
    platform: PlatformDescription,
    private readonly load: Load,
    /** How old what is read may be. */
    private readonly acceptedMs: number,
    /** Whether a response that is no success is expected now, as while there is no primary. */
    private readonly mayFail: () => boolean,
  ) {
    this.operator = new OperatorClient(platform);
    this.workers = [this.work(() => this.lookForOrder()), this.work(() => this.readFigures())];
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.workers);
  }

  private async work(read: () => Promise<void>): Promise<void> {
    while (!this.isOver) {
      const startedAt = performance.now();
      await read().catch((error: unknown) => void this.faults.push(String(error)));
      this.reads += 1;
      this.slowestMs = Math.max(this.slowestMs, performance.now() - startedAt);
      await pause(REST_MS);
    }
  }

  /** One of the orders that were acknowledged lately must be there once it is so old; one that is younger may be. */
  private async lookForOrder(): Promise<void> {
    const askedAt = Date.now();
    const recent = this.load.acknowledgedOrders.filter(
      ({ respondedAt = 0, product }) =>
        product !== 'Scent' && askedAt - respondedAt < LOOK_BACK * this.acceptedMs,
    );
    const order = recent[Math.floor(Math.random() * recent.length)];
    const globalId = order?.response?.orderGlobalId;
    if (!order || !globalId) return;
    const list = await this.get<{ items: unknown[] }>(`/orders?orderGlobalId=${globalId}`);
    if (list?.items.length === 0) this.note(order, askedAt);
  }

  /** The figures count every order that was acknowledged so long before. */
  private async readFigures(): Promise<void> {
    const askedAt = Date.now();
    const due = this.load.acknowledgedOrders.filter(
      ({ respondedAt = 0 }) => respondedAt <= askedAt - this.acceptedMs,
    ).length;
    const span = `from=${this.from.toISOString()}&to=${new Date(askedAt + 60_000).toISOString()}`;
    const figures = await this.get<{ orders: { count: number }[] }>(`/overview?environment=live&${span}`);
    if (!figures) return;
    const counted = figures.orders.reduce((sum, { count }) => sum + count, 0);
    if (counted < due) this.faults.push(`the overview counts ${counted} orders of ${due}`);
  }

  private async get<T>(path: string): Promise<T | undefined> {
    const wasAway = this.mayFail();
    const { status, payload, text } = await this.operator.call<T>(path, { headers: STALE });
    if (status === 200) return payload;
    if (!wasAway && !this.mayFail()) this.faults.push(`${path}: ${status} ${text.slice(0, 200)}`);
    return undefined;
  }

  private note({ respondedAt = 0, reference }: Placed, askedAt: number): void {
    const ageMs = askedAt - respondedAt;
    this.missing += 1;
    this.oldestMissingMs = Math.max(this.oldestMissingMs, ageMs);
    if (ageMs > this.acceptedMs)
      this.faults.push(`${reference} was acknowledged ${ageMs} ms before, and is not shown`);
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import type { PartnerClient } from '../clients/partner-client';
import { expectSuccess } from '../clients/response';
import type { WebhookEvent } from '../clients/webhook-receiver';

interface FeedPage {
  readonly items: WebhookEvent[];
  readonly nextCursor: string;
  readonly hasMore: boolean;
}

const WAIT_S = 2;
/** Longer than any fault of a drill lasts. */
const PATIENCE_MS = 120_000;

/** A partner's program that follows the feed by its cursors while the platform runs, and reads a page again that it did not get. */
export class FeedReader {
  readonly read: WebhookEvent[] = [];
  private cursor = '';
  private isOver = false;
  private work: Promise<void> = Promise.resolve();

  constructor(private readonly client: PartnerClient) {}

  start(): void {
    this.work = this.follow();
    // Said by stop(), once the load is over.
    this.work.catch(() => undefined);
  }

  /** Ends the long polls; rejects when pages could not be read for a minute. */
  async stop(): Promise<void> {
    this.isOver = true;
    await this.work;
  }

  /** What must not be, once nothing happens any more: what this chain of cursors has missed, or has twice. Reads the rest of it first. */
  async check(): Promise<string[]> {
    this.cursor = await this.rest(this.cursor, this.read);
    const again: WebhookEvent[] = [];
    await this.rest('', again);
    const ids = this.read.map(({ eventId }) => eventId);
    const once = new Set(ids);
    const all = new Set(again.map(({ eventId }) => eventId));
    return [
      ...(once.size < ids.length ? [`the feed gave ${ids.length - once.size} events twice`] : []),
      ...[...all].filter((id) => !once.has(id)).map((id) => `${id} appeared behind a cursor`),
      ...[...once].filter((id) => !all.has(id)).map((id) => `${id} left the feed`),
      ...(again.some(({ eventId }, at) => eventId !== ids[at]) ? ['the feed changed its order'] : []),
    ];
  }

  private async follow(): Promise<void> {
    while (!this.isOver) {
      const page = await this.page(this.cursor, WAIT_S);
      this.read.push(...page.items);
      this.cursor = page.nextCursor;
    }
  }

  private async rest(from: string, into: WebhookEvent[]): Promise<string> {
    for (let cursor = from; ;) {
      const page = await this.page(cursor, 0);
      into.push(...page.items);
      cursor = page.nextCursor;
      if (!page.hasMore) return cursor;
    }
  }

  private async page(after: string, wait: number): Promise<FeedPage> {
    const until = performance.now() + PATIENCE_MS;
    const path = `/events?limit=100&wait=${wait}${after && `&after=${after}`}`;
    for (;;) {
      try {
        const response = await this.client.call<FeedPage>(path);
        if (response.status < 500 || performance.now() > until) return expectSuccess(response);
      } catch (error) {
        if (performance.now() > until) throw error;
      }
      await pause(150);
    }
  }
}

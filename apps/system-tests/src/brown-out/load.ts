import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { ApiResponse } from '../clients/response';
import { ROUTES, type BrownOutRoute } from './routes';
import type { World } from './world';

/** One request: what came back, and when it was sent; times in milliseconds. */
export interface Sample {
  readonly route: BrownOutRoute;
  /** From the start of the load. */
  readonly at: number;
  readonly ms: number;
  /** The state of the envelope, or `no response`. */
  readonly code: string;
  /** What must not be in any weather. */
  readonly fault?: string;
}

/** Partners may come again after these, and the first attempt goes on. */
const COME_AGAIN = [
  'CONFLICT_ORDER_IN_PROGRESS',
  'CONFLICT_REQUEST_IN_PROGRESS',
  'CONFLICT_CART_HAS_PENDING_ORDER',
];

/** Partners at work by a fixed schedule, whatever the responses. */
export class Load {
  readonly samples: Sample[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private readonly over = new AbortController();
  private schedules: Promise<unknown> = Promise.resolve();
  private readonly startedAt = performance.now();

  constructor(private readonly world: World) {}

  get elapsedMs(): number {
    return performance.now() - this.startedAt;
  }

  start(): void {
    setMaxListeners(ROUTES.length, this.over.signal);
    this.schedules = Promise.all(ROUTES.map((route, at) => this.repeat(route, at)));
  }

  /** Ends it; resolves when every response is there. */
  async stop(): Promise<void> {
    this.over.abort();
    await this.schedules;
    await Promise.all(this.underWay);
  }

  private async repeat(route: BrownOutRoute, at: number): Promise<void> {
    const { signal } = this.over;
    let next = (at * route.everyMs) / ROUTES.length;
    while (!signal.aborted) {
      await pause(Math.max(0, next - this.elapsedMs), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      next += route.everyMs;
      if (route.canSend?.(this.world) === false) continue;
      const sent = this.send(route).finally(() => this.underWay.delete(sent));
      this.underWay.add(sent);
    }
  }

  private async send(route: BrownOutRoute): Promise<void> {
    this.samples.push(await sendOne(route, this.world, this.elapsedMs));
  }
}

/** Sends one request and judges what came back. */
export async function sendOne(route: BrownOutRoute, world: World, at: number): Promise<Sample> {
  const sentAt = performance.now();
  const made = (code: string, fault: string | undefined): Sample => ({
    route,
    at,
    ms: performance.now() - sentAt,
    code,
    ...(fault !== undefined && { fault }),
  });
  try {
    const response = await route.send(world);
    return made(response.state, faultOf(response));
  } catch (error) {
    const { message, cause } = error as Error;
    return made('no response', `${message}${cause instanceof Error ? `: ${cause.message}` : ''}`);
  }
}

/** Whether partners may get this at all while something is unwell. */
function faultOf({ status, state, text, headers }: ApiResponse<unknown>): string | undefined {
  if (status === 200 || COME_AGAIN.includes(state)) return undefined;
  if (state !== 'SERVICE_UNAVAILABLE') return `${status} ${text.slice(0, 160)}`;
  return Number(headers.get('retry-after')) >= 1 ? undefined : 'SERVICE_UNAVAILABLE without Retry-After';
}

import {
  Environment,
  type CertificationStep,
  type ClientCalls,
  type RecordSightingsRequest,
  type RecordSightingsResponse,
  type Sighting,
} from '@reseller/contracts';
import { CertificationStep as Step, SightingKind } from '@reseller/contracts';
import { LRUCache } from 'lru-cache';
import { Counter, type Registry } from 'prom-client';
import type { Logger } from 'pino';
import type { Caller } from '../security/claims';
import type { Sight } from './sight';

/** What sightings are reported with. */
export interface SightingLogOptions {
  readonly send: (request: RecordSightingsRequest) => Promise<RecordSightingsResponse>;
  readonly log: Pick<Logger, 'warn'>;
  readonly metrics?: Registry | undefined;
  readonly now?: () => number;
}

/** So that a step is shown within about a second. */
const INTERVAL_MS = 500;
/** Kept while identity is away, some hundred bytes each; what comes then has to be shown again. */
const MOST_KEPT = 20_000;
/** As many as identity takes at once. */
const MOST_A_CALL = 2_000;
/** Of calls closer to each other the first says it all, and those that were on the way when a limit was met are passed over. */
const CALL_SPACING_MS = 100;
/** Partners of whom it is remembered what they have shown; one that is forgotten is reported once more. */
const PARTNERS = 10_000;

type Told = Pick<Caller, 'scope' | 'limitedAs'>;
type Limit = ClientCalls['limits'][number];

interface OpenCalls extends Pick<ClientCalls, 'partnerId' | 'clientId'> {
  readonly calledAt: Date[];
  limit: Limit | undefined;
}

/**
 * What this gateway sees of partners in the sandbox that they have not shown yet, handed to identity in batches (spec §17.6,
 * docs/adr/0022). A batch is sent until it is taken and counts once. What was not sent when the process is killed is lost.
 */
export class SightingLog {
  private readonly shown = new LRUCache<string, ReadonlySet<CertificationStep>>({ max: PARTNERS });
  private readonly dropped: Counter | undefined;
  private sights = new Map<string, Sighting>();
  private calls = new Map<string, OpenCalls>();
  private waiting: RecordSightingsRequest[] = [];
  private kept = 0;
  private sending: Promise<void> | undefined;
  private isFailing = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: SightingLogOptions) {
    this.dropped =
      options.metrics &&
      new Counter({
        name: 'gateway_sightings_dropped_total',
        help: 'What partners did in the sandbox that no certification shows, for too much waited for identity. Sum over instances.',
        registers: [options.metrics],
      });
  }

  /** Whether anything of the caller is looked at: only in the sandbox. */
  watches({ scope }: Told): boolean {
    return scope.environment === Environment.SANDBOX;
  }

  /** Notes that a credential was used. */
  called(caller: Told): void {
    const calls = this.callsOf(caller);
    const last = calls?.calledAt.at(-1);
    const now = this.now();
    if (!calls || (last && now - last.getTime() < CALL_SPACING_MS) || !this.hasRoom()) return;
    calls.calledAt.push(new Date(now));
  }

  /** Notes that a credential was told to wait. A later one takes an earlier one's place: a call between them has broken that. */
  limited(caller: Told, requestId: string, retryAfterSeconds: number): void {
    const calls = this.callsOf(caller);
    if (!calls || (!calls.limit && !this.hasRoom())) return;
    calls.limit = { at: new Date(this.now()), retryAfterSeconds, requestId };
  }

  /** Notes what an outcome shows of steps that the caller has not shown yet. */
  see({ scope: { partnerId } }: Told, requestId: string, seen: readonly Sight[]): void {
    for (const { step, kind, subject, type, id } of seen) {
      if (this.shown.get(partnerId)?.has(step)) continue;
      const key = `${partnerId} ${step} ${kind} ${subject}`;
      // The first time is what counts, of a second half the last.
      const isKnown = this.sights.has(key);
      if (isKnown ? kind !== SightingKind.SECOND : !this.hasRoom()) continue;
      const at = new Date(this.now());
      this.sights.set(key, { partnerId, step, kind, subject, at, evidence: { type, id, requestId } });
    }
  }

  /** Begins to send in the background. */
  start(): void {
    this.timer = setInterval(() => void this.flush(), INTERVAL_MS);
    this.timer.unref();
  }

  /** Sends what there is, once more if that fails; ends the background work. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
    if (this.kept > 0) await this.flush();
  }

  /** Sends what there is; resolves when that has come to an end, well or not. */
  flush(): Promise<void> {
    this.sending ??= this.send().finally(() => (this.sending = undefined));
    return this.sending;
  }

  private async send(): Promise<void> {
    this.close();
    for (let next = this.waiting[0]; next; next = this.waiting[0]) {
      try {
        for (const { partnerId, steps } of (await this.options.send(next)).shown)
          this.shown.set(partnerId, new Set(steps));
      } catch (err) {
        if (!this.isFailing)
          this.options.log.warn({ err }, 'what partners did in the sandbox was not taken; trying again');
        this.isFailing = true;
        return;
      }
      this.isFailing = false;
      this.waiting.shift();
      this.kept -= sizeOf(next);
    }
  }

  /** Makes calls of what is open, each no larger than identity takes. */
  private close(): void {
    const sightings = [...this.sights.values()];
    const calls = [...this.calls.values()]
      .filter(({ calledAt, limit }) => calledAt.length > 0 || limit)
      .map(({ limit, ...same }) => ({ ...same, limits: limit ? [limit] : [] }));
    this.sights = new Map();
    this.calls = new Map();
    let open: RecordSightingsRequest = { sightings: [], calls: [] };
    const add = (size: number, put: () => void): void => {
      if (sizeOf(open) + size > MOST_A_CALL) {
        this.waiting.push(open);
        open = { sightings: [], calls: [] };
      }
      put();
    };
    for (const one of sightings) add(1, () => open.sightings.push(one));
    for (const one of calls) add(one.calledAt.length + one.limits.length, () => open.calls.push(one));
    if (sizeOf(open) > 0) this.waiting.push(open);
  }

  private callsOf({ scope: { partnerId }, limitedAs: clientId }: Told): OpenCalls | undefined {
    if (this.shown.get(partnerId)?.has(Step.LIMIT_RESPECTED)) return undefined;
    const key = `${partnerId} ${clientId}`;
    let calls = this.calls.get(key);
    if (!calls) this.calls.set(key, (calls = { partnerId, clientId, calledAt: [], limit: undefined }));
    return calls;
  }

  /** Takes a place among what is kept. */
  private hasRoom(): boolean {
    if (this.kept >= MOST_KEPT) {
      this.dropped?.inc();
      return false;
    }
    this.kept += 1;
    return true;
  }

  private now(): number {
    return (this.options.now ?? Date.now)();
  }
}

const sizeOf = ({ sightings, calls }: RecordSightingsRequest): number =>
  calls.reduce((sum, { calledAt, limits }) => sum + calledAt.length + limits.length, sightings.length);

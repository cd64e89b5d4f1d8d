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
import { ReportQueue } from '../reporting/report-queue';
import type { Caller } from '../security/claims';
import type { Sight } from './sight';

/** What sightings are reported with. */
interface SightingLogOptions {
  readonly send: (request: RecordSightingsRequest) => Promise<RecordSightingsResponse>;
  readonly log: Pick<Logger, 'warn'>;
  readonly metrics?: Registry | undefined;
  readonly now?: () => number;
}

/** Kept while identity is away, some hundred bytes each; what comes then has to be shown again. */
const MOST_KEPT = 20_000;
/** As many as identity takes at once. */
const MOST_A_CALL = 2_000;
/** Of calls closer to each other the first says it all, and those that were on the way when a limit was met are passed over. */
const CALL_SPACING_MS = 100;
/** Partners of whom it is remembered what they have shown; one that is forgotten is reported once more. */
const PARTNERS = 10_000;

type LimitedCaller = Pick<Caller, 'scope' | 'limitedAs'>;
type Limit = ClientCalls['limits'][number];

interface OpenCalls extends Pick<ClientCalls, 'partnerId' | 'clientId'> {
  readonly calledAt: Date[];
  limit: Limit | undefined;
}

/** What this gateway sees of partners in the sandbox that they have not shown yet, reported to identity (spec §17.6); it counts once. */
export class SightingLog {
  /** What is on its way; to be started and stopped. */
  readonly reports: ReportQueue<RecordSightingsRequest>;
  private readonly shown = new LRUCache<string, ReadonlySet<CertificationStep>>({ max: PARTNERS });
  private readonly now: () => number;
  private sights = new Map<string, Sighting>();
  private calls = new Map<string, OpenCalls>();

  constructor({ send, log, metrics, now = Date.now }: SightingLogOptions) {
    this.now = now;
    this.reports = new ReportQueue({
      close: () => this.close(),
      send: async ([next]) => {
        if (!next) return 0;
        for (const { partnerId, steps } of (await send(next)).shown)
          this.shown.set(partnerId, new Set(steps));
        return 1;
      },
      sizeOf,
      most: MOST_KEPT,
      dropped:
        metrics &&
        new Counter({
          name: 'gateway_sightings_dropped_total',
          help: 'What partners did in the sandbox that no certification shows, for too much waited for identity. Sum over instances.',
          registers: [metrics],
        }),
      notTaken: 'what partners did in the sandbox was not taken; trying again',
      log,
    });
  }

  /** Whether anything of the caller is looked at: only in the sandbox. */
  watches({ scope }: LimitedCaller): boolean {
    return scope.environment === Environment.SANDBOX;
  }

  /** Notes that a credential was used. */
  called(caller: LimitedCaller): void {
    const calls = this.callsOf(caller);
    const last = calls?.calledAt.at(-1);
    const now = this.now();
    if (!calls || (last && now - last.getTime() < CALL_SPACING_MS) || !this.reports.takePlace()) return;
    calls.calledAt.push(new Date(now));
  }

  /** Notes that a credential was refused for a time. A later one takes an earlier one's place: a call between them has broken that. */
  limited(caller: LimitedCaller, requestId: string, retryAfterSeconds: number): void {
    const calls = this.callsOf(caller);
    if (!calls || (!calls.limit && !this.reports.takePlace())) return;
    calls.limit = { at: new Date(this.now()), retryAfterSeconds, requestId };
  }

  /** Notes what an outcome shows of steps that the caller has not shown yet. */
  see({ scope: { partnerId } }: LimitedCaller, requestId: string, seen: readonly Sight[]): void {
    for (const { step, kind, subject, type, id } of seen) {
      if (this.shown.get(partnerId)?.has(step)) continue;
      const key = `${partnerId} ${step} ${kind} ${subject}`;
      // The first time is what counts, of a second half the last.
      const isKnown = this.sights.has(key);
      if (isKnown ? kind !== SightingKind.SECOND : !this.reports.takePlace()) continue;
      const at = new Date(this.now());
      this.sights.set(key, { partnerId, step, kind, subject, at, evidence: { type, id, requestId } });
    }
  }

  /** Makes calls of what is open, each no larger than identity takes. */
  private close(): RecordSightingsRequest[] {
    const sightings = [...this.sights.values()];
    const calls = [...this.calls.values()]
      .filter(({ calledAt, limit }) => calledAt.length > 0 || limit)
      .map(({ limit, ...same }) => ({ ...same, limits: limit ? [limit] : [] }));
    this.sights = new Map();
    this.calls = new Map();
    const requests: RecordSightingsRequest[] = [];
    let open: RecordSightingsRequest = { sightings: [], calls: [] };
    const add = (size: number, put: () => void): void => {
      if (sizeOf(open) + size > MOST_A_CALL) {
        requests.push(open);
        open = { sightings: [], calls: [] };
      }
      put();
    };
    for (const one of sightings) add(1, () => open.sightings.push(one));
    for (const one of calls) add(one.calledAt.length + one.limits.length, () => open.calls.push(one));
    if (sizeOf(open) > 0) requests.push(open);
    return requests;
  }

  private callsOf({ scope: { partnerId }, limitedAs: clientId }: LimitedCaller): OpenCalls | undefined {
    if (this.shown.get(partnerId)?.has(Step.LIMIT_RESPECTED)) return undefined;
    const key = `${partnerId} ${clientId}`;
    let calls = this.calls.get(key);
    if (!calls) this.calls.set(key, (calls = { partnerId, clientId, calledAt: [], limit: undefined }));
    return calls;
  }
}

const sizeOf = ({ sightings, calls }: RecordSightingsRequest): number =>
  calls.reduce((sum, { calledAt, limits }) => sum + calledAt.length + limits.length, sightings.length);
